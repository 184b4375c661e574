/** What the service answers where something is no success, thrown from whichever room found it out. */
import { Code, UNAUTHENTICATED } from "../../contract/envelope.ts";
import type { Word } from "./messages.ts";

/** An answer of the service that is not a success: shown to people in their language, HTTP 200 unless `retryAfter` is given. */
export class ApiError extends Error {
  readonly word: Word | null;
  readonly code: number;
  /** The entry of the body that it is about. */
  readonly field: string | undefined;
  /** Seconds after which it may be asked again, for a request that was one too many: HTTP 429. */
  readonly retryAfter: number | undefined;

  private constructor(word: Word | null, code: number, field?: string, retryAfter?: number) {
    super(word ?? UNAUTHENTICATED);
    this.word = word;
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter;
  }

  static of(word: Word, field?: string) {
    return new ApiError(word, Code.error, field);
  }
  static signedOut() {
    return new ApiError("logInFirst", Code.signedOut);
  }
  /** @param retryAfter seconds */
  static tooManyRequests(retryAfter: number) {
    return new ApiError("tooManyAttempts", Code.error, undefined, retryAfter);
  }
  /** Order creation says it in its own way. Specification, section 8. */
  static unauthenticated() {
    return new ApiError(null, Code.unauthenticated);
  }
}

/** @param wait what `RequestLimits` answered @throws ApiError where it is not null */
export function allow(wait: number | null): void {
  if (wait !== null) throw ApiError.tooManyRequests(wait);
}
