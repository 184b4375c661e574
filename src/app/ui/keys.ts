/** Tells the user's key presses from those of an input method. */

/**
 * Whether an input method takes the key, as when typing Chinese: Enter accepts the word, Escape drops it. In Safari
 * the Enter that ends a word comes after the composition and has only key code 229.
 */
export const isComposing = ({ isComposing: composes, keyCode }: KeyboardEvent) => composes || keyCode === 229;
