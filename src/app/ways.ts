/** How the app gets from place to place: by the router, whose code a page that is drawn does without until it is touched. Decision 18. */
import { addressOf, type Place } from "./places.ts";
import { isReachable, onNetwork, openDocument } from "./ports/page.ts";
import { screens } from "./screens.ts";

/** What the router does, once it is there. */
export type Travel = {
  /** `replace`: the way back does not lead here again. `unasked`: no screen may hold the person back. */
  go: (place: Place, how?: { replace?: boolean; unasked?: boolean }) => void;
  /** As the arrow of a screen does. */
  goBack: (place: Place) => void;
  /** Asks the guards of the routes again. */
  reconsider: () => void;
  /** While `held` says so, `ask` is asked whether whoever would leave does. Returns the way to stop. */
  hold: (held: () => boolean, ask: () => Promise<boolean>) => () => void;
};

export type Ways = Travel & {
  /** The router's code, on its way from here on. Rejects where it cannot be had. */
  open: () => Promise<unknown>;
  /** All that it takes to go there, on its way: the code and the words of the screen, and the router's. */
  prepare: (place: Place) => void;
};

const nothing = () => undefined;

/**
 * @param fetchTravel has the code come, and the router started
 * @param begun called when somebody goes somewhere before it is there
 * @param missed called when it cannot be had then; it is had, and led on by, when the network is back
 */
export function createWays(fetchTravel: () => Promise<Travel>, begun: () => void, missed: () => void): Ways {
  let travelling: Promise<Travel> | undefined;
  /** Once it is there, a tap is answered within the tap. */
  let here: Travel | undefined;
  const open = () => {
    travelling ??= fetchTravel().then(
      (travel) => (here = travel),
      (error: unknown) => {
        // Asked for again with the next way, for the network may be back.
        travelling = undefined;
        throw error;
      },
    );
    return travelling;
  };
  const prepare = ({ to }: Place) => {
    void screens[to].view.preload?.();
    open().catch(nothing);
  };
  /** What was asked for last, and could not be had. */
  let wish: (() => void) | null = null;
  let listening: unknown;
  const lead = (place: Place, replace: boolean, by: (travel: Travel) => void) => {
    wish = null;
    if (here) return by(here);
    begun();
    prepare(place);
    open().then(by, async () => {
      // A newer release took the file away: then the address leads into that one.
      if (await isReachable()) return openDocument(addressOf(place), replace);
      missed();
      wish = () => lead(place, replace, by);
      listening ??= onNetwork(nothing, () => wish?.());
    });
  };
  return {
    open,
    prepare,
    go: (place, how = {}) => lead(place, how.replace === true, (travel) => travel.go(place, how)),
    goBack: (place) => lead(place, true, (travel) => travel.goBack(place)),
    reconsider: () => void open().then((travel) => travel.reconsider(), nothing),
    hold: (held, ask) => {
      let letGo: (() => void) | null = nothing;
      void open().then((travel) => {
        if (letGo) letGo = travel.hold(held, ask);
      }, nothing);
      return () => {
        letGo?.();
        letGo = null;
      };
    },
  };
}
