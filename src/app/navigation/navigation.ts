/** How effects and screens navigate: the router's own calls, with the route table's destinations. */
import type { RouterHistory } from "@tanstack/react-router";
import type { ActorRefFrom } from "xstate";
import { cameFrom, type navigationMachine, type Place, type Visit } from "../../../machines/navigation.ts";
import { readBackStack, writeBackStack } from "./back-stack.ts";
import type { AppRouter } from "./router.ts";
import { routes, type Destination } from "./routes.ts";
import { screens } from "./screens.ts";

export type Navigation = {
  /** `ignoreBlocker`: the screen is left without a question. */
  navigate: (destination: Destination, options?: { replace?: boolean; ignoreBlocker?: boolean }) => void;
  /**
   * As a screen's arrow does: always to the same destination.
   * @param places the same with fewer parameters, where some are hints, and others that it leads back to where one came from there
   */
  goBack: (destination: Destination, ...places: Place[]) => void;
  /** Runs the guards of the present route again. */
  invalidate: () => void;
  /** While `isBlocked`, `confirm` decides whether the screen is left. Returns the unsubscribe function. */
  block: (isBlocked: () => boolean, confirm: () => Promise<boolean>) => () => void;
  /** Loads the code of the destination's screen. */
  preload: (destination: Destination) => void;
};

type NavigationActor = ActorRefFrom<typeof navigationMachine>;

const optionsOf = ({ to, ...rest }: Destination) => ({ to: routes[to].path as string, ...rest });

export function createNavigation(router: () => AppRouter, actor: NavigationActor): Navigation {
  keepBackStack(actor);
  return {
    navigate: (destination, options = {}) =>
      void router().navigate({ ...optionsOf(destination), ...options }),
    goBack: (destination, ...places) => {
      const { context } = actor.getSnapshot();
      const isStep = [destination, ...places].some((place) => cameFrom(context, place));
      if (isStep && context.current) return stepBack(router().history, context.current);
      void router().navigate({ ...optionsOf(destination), replace: true, state: { returns: true } });
    },
    invalidate: () => void router().invalidate(),
    block: (isBlocked, confirm) => block(router().history, isBlocked, confirm),
    preload: (destination) => void screens[destination.to].preload?.(),
  };
}

/** The back stack survives a reload. Decision 9. */
function keepBackStack(actor: NavigationActor): void {
  let written = {};
  actor.subscribe(({ context: { backStack } }) => {
    if (backStack === written) return;
    written = backStack;
    writeBackStack(backStack);
  });
  actor.send({ type: "backStack.restored", backStack: readBackStack() });
}

/** Histories with a step back under way: a second tap does not go back twice. */
const stepping = new WeakSet<RouterHistory>();
/** Ms after which a step back has been dropped: by the browser, or because it led to another document that was left again. */
const LONGEST_STEP = 1_000;

/**
 * To the step before the one that the view stands on, also past one whose screen is still loading; unless the history has
 * already gone back.
 */
function stepBack(history: RouterHistory, { step, entry }: Visit): void {
  const { __TSR_index: at, __TSR_key: key } = history.location.state;
  if (stepping.has(history) || at < step || (at === step && key !== entry)) return;
  stepping.add(history);
  const over = () => {
    clearTimeout(timer);
    unsubscribe();
    stepping.delete(history);
  };
  const timer = setTimeout(over, LONGEST_STEP);
  const unsubscribe = history.subscribe(over);
  if (at === step) history.back();
  else history.go(step - 1 - at);
}

/**
 * Blocks at once and navigates later: while the question is open, the address bar names the screen that asks, and a
 * second step back answers the question.
 */
function block(history: RouterHistory, isBlocked: () => boolean, confirm: () => Promise<boolean>) {
  return history.block({
    enableBeforeUnload: isBlocked,
    blockerFn: ({ currentLocation, nextLocation, action }) => {
      if (!isBlocked()) return false;
      const steps = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
      const options = { ignoreBlocker: true };
      void confirm().then((leaves) => {
        if (!leaves) return;
        if (action === "PUSH") history.push(nextLocation.href, nextLocation.state, options);
        else if (action === "REPLACE") history.replace(nextLocation.href, nextLocation.state, options);
        else history.go(steps, options);
      });
      return true;
    },
  });
}
