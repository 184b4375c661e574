/** How what lies over the screen comes and goes; where less motion is wanted, fading is all that is left. */
import { keyframes } from "styled-components";

export const fadeIn = keyframes`from { opacity: 0; }`;
export const fadeOut = keyframes`to { opacity: 0; }`;
/** A little, as if it came nearer. */
export const rise = keyframes`from { opacity: 0; transform: translateY(8px) scale(0.97); }`;
