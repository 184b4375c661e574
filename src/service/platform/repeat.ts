/** Runs a job again and again, never twice at the same time. */

/**
 * @param wait milliseconds between the end of one run and the beginning of the next
 * @param act must not reject; it is told to end early by the signal
 * @param isFirstAtOnce whether the first run does not wait
 * @returns stops it, and resolves when nothing is running
 */
export function repeat(
  wait: number,
  act: (signal: AbortSignal) => Promise<unknown>,
  isFirstAtOnce = false,
): () => Promise<void> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = act(stop.signal).then(schedule);
  };
  function schedule(): void {
    if (!stop.signal.aborted) timer = setTimeout(run, wait).unref();
  }
  if (isFirstAtOnce) run();
  else schedule();
  return async () => {
    stop.abort();
    clearTimeout(timer);
    await running;
  };
}
