/** What lies over a screen tells whoever is around it: of its opening, for the way back, and of the finger that holds it. */
import { createContext } from "react";

/** Where a finger takes hold of a sheet: its movements in, the sheet's place out. Px and ms. */
export interface Grip {
  hold: (at: number) => void;
  follow: (move: { down: number; across: number; at: number }) => void;
  release: (end: { at: number; height: number }) => void;
  /** The finger is gone without having been lifted. */
  lose: () => void;
  isFollowing: () => boolean;
  /** Tells where the sheet is, and when it was thrown away, until the answer is called. */
  watch: (place: (distance: number) => void, thrown: () => void) => () => void;
}

export interface Over {
  /** Something lies over the screen; the way back is to call `dismiss`. Call the answer when it has gone. */
  open: (dismiss: () => void) => () => void;
  newGrip: () => Grip;
}

/** Without one, a sheet closes by its button and a tap beside it alone. */
export const OverContext = createContext<Over | null>(null);
