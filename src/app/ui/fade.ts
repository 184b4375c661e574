/** The enter and leave animations of overlays; with reduced motion only the fade remains. */
import { keyframes } from "styled-components";

export const fadeIn = keyframes`from { opacity: 0; }`;
export const fadeOut = keyframes`to { opacity: 0; }`;
export const rise = keyframes`from { opacity: 0; transform: translateY(8px) scale(0.97); }`;
