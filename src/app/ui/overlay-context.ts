/** Connects overlays to the app around them: registers them on the overlay stack and reports drags. */
import { createContext } from "react";

/** The drag handle of a sheet: touch movements in, the sheet's position out. Px and ms. */
export interface DragHandle {
  hold: (at: number) => void;
  follow: (move: { down: number; across: number; at: number }) => void;
  release: (end: { at: number; height: number }) => void;
  /** The touch was cancelled, not lifted. */
  lose: () => void;
  isFollowing: () => boolean;
  /** Reports the sheet's position, and when it is flicked away, until the returned function is called. */
  watch: (place: (distance: number) => void, thrown: () => void) => () => void;
}

export interface Overlay {
  /** An overlay opened; going back calls `dismiss`. Call the returned function when it has closed. */
  open: (dismiss: () => void) => () => void;
  newDragHandle: () => DragHandle;
}

/** Without a provider, a sheet closes only by its button and a tap beside it. */
export const OverlayContext = createContext<Overlay | null>(null);
