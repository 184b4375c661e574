/** How effects and screens navigate: the router's own calls, with the route table's destinations. */
import type { RouterHistory } from "@tanstack/react-router";
import type { ActorRefFrom } from "xstate";
import { cameFrom, type navigationMachine, type Place } from "../../../machines/navigation.ts";
import { readBackStack, writeBackStack } from "./back-stack.ts";
import type { AppRouter } from "./router.ts";
import { routes, type Destination } from "./routes.ts";
import { screens } from "./screens.ts";

export type Navigation = {
  /** `ignoreBlocker`: the screen is left without a question. */
  navigate: (destination: Destination, options?: { replace?: boolean; ignoreBlocker?: boolean }) => void;
  /** As a screen's arrow does: always to the same destination. @param place the same with fewer parameters, where some are hints */
  goBack: (destination: Destination, place?: Place) => void;
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
    goBack: (destination, place = destination) => {
      const { context } = actor.getSnapshot();
      if (cameFrom(context, place)) return stepBack(router().history, context.current?.entry);
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

/** One step back, unless the history has already left the entry that the view stands on. */
function stepBack(history: RouterHistory, entry: string | undefined): void {
  if (stepping.has(history) || history.location.state.__TSR_key !== entry) return;
  stepping.add(history);
  const unsubscribe = history.subscribe(() => {
    unsubscribe();
    stepping.delete(history);
  });
  history.back();
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
