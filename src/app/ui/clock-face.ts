/** What a countdown shows: pure functions, because the bootstrap script shows it before React has loaded. */

const two = (count: number) => String(count).padStart(2, "0");

/** Whole seconds as minutes and seconds: `05:09`. */
export const digitsOf = (seconds: number) => `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;

/** Whether the share of the time left is so small that the colours turn warm. */
export const isWarm = (share: number) => share <= 0.3;
