/** How the app gets from place to place: what views and charts ask, and the router that does it once it is there. Decision 18. */
import type { ActorRefFrom } from "xstate";
import type { travelMachine, Way } from "../../machines/travel.ts";
import type { Place } from "./places.ts";
import { screens } from "./screens.ts";

/** What the router does. */
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
  /** All that it takes to go there, on its way: the code and the words of the screen, and the router's. */
  prepare: (place: Place) => void;
};

/** The router, from when it has come. */
export function keepTravel(fetchTravel: () => Promise<Travel>) {
  let arrive: (travel: Travel) => void;
  const here = new Promise<Travel>((resolve) => {
    arrive = resolve;
  });
  let travel: Travel | undefined;
  return {
    here,
    fetch: async () => {
      travel = await fetchTravel();
      arrive(travel);
    },
    /** Leads where the chart says. */
    lead: ({ back, replace = false, unasked = false, ...place }: Way) => {
      if (back) travel?.goBack(place as Place);
      else travel?.go(place as Place, { replace, unasked });
    },
  };
}

/** @param travel the chart that has the router come */
export function createWays(here: Promise<Travel>, travel: () => ActorRefFrom<typeof travelMachine>): Ways {
  const prepare = ({ to }: Place) => {
    void screens[to].view.preload?.();
    travel().send({ type: "page.touched" });
  };
  const ask = (way: Way & Place) => {
    void screens[way.to].view.preload?.();
    travel().send({ type: "way.asked", way });
  };
  return {
    prepare,
    go: (place, how) => ask({ ...place, ...how }),
    goBack: (place) => ask({ ...place, back: true }),
    reconsider: () => {
      travel().send({ type: "page.touched" });
      void here.then((router) => router.reconsider());
    },
    hold: (held, asks) => {
      let over = false;
      let letGo: (() => void) | undefined;
      void here.then((router) => {
        if (!over) letGo = router.hold(held, asks);
      });
      return () => {
        over = true;
        letGo?.();
      };
    },
  };
}
