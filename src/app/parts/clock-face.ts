/** What a countdown shows, apart from how: for whoever shows it before React is there too. */

const two = (count: number) => String(count).padStart(2, "0");

/** Whole seconds as minutes and seconds: `05:09`. */
export const digitsOf = (seconds: number) => `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;

/** Whether so little of the time is left (a share of it) that the colours warm. */
export const isWarm = (share: number) => share <= 0.3;
