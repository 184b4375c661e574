/** Does something when it is first asked for, and no second time. */

/** @returns has `act` done, or waits for it; where it failed, the next call does it again */
export function lazy<T>(act: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= act().catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}
