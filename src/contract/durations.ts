/** Lengths of time, in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** In which an order in USDT is to be paid. Specification, section 9. */
export const PAYMENT_WINDOW = 30 * MINUTE;
