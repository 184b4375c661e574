/** What the app says of a call that fails without a word of the service's. */
export const LOST = "No connection. Check your network and try again.";
export const UNREADABLE = "Something went wrong on our side. Please try again.";
export const BAD_GATEWAY = "Bad gateway";

export const errorWords: readonly string[] = [LOST, UNREADABLE, BAD_GATEWAY];
