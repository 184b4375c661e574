/** The screens' code, loaded when a route is entered or a link to it is touched. */
import { lazyRouteComponent, type AsyncRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { CallFailed } from "../../../machines/call-error.ts";
import { loadCatalogue } from "../ports/language.ts";
import { isReachable } from "../ports/page.ts";
import { routes, type Route, type RouteName } from "./routes.ts";

const files = import.meta.glob<{ default: ComponentType<object> }>("../screens/*.tsx");

/**
 * A screen with its messages, both requested at once. When a newer build has removed the file, the page reloads. Offline
 * a reload would lose the page, so a failed request is reported instead.
 */
function lazyScreen({ screen, catalogue = "screens" }: Route) {
  return lazyRouteComponent(async () => {
    const load = files[`../screens/${screen}.tsx`];
    if (!load) throw new Error(`There is no file for the screen ${screen}.`);
    try {
      const [code] = await Promise.all([load(), loadCatalogue(catalogue)]);
      return code;
    } catch (error) {
      if (await isReachable()) throw error;
      throw new CallFailed({ kind: "network" });
    }
  }, "default") as LazyScreen;
}

export type LazyScreen = AsyncRouteComponent<object>;

export const screens = Object.fromEntries(
  (Object.keys(routes) as RouteName[]).map((name) => [name, lazyScreen(routes[name])]),
) as Record<RouteName, LazyScreen>;

/** The screen of a route; undefined for an address that leads nowhere. */
export const screenOf = (name: string): LazyScreen | undefined =>
  Object.hasOwn(screens, name) ? screens[name as RouteName] : undefined;
