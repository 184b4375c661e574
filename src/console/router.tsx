/** The page's addresses, each with its screen. What a list is narrowed down to, and what is searched for, stand in them. */
import { createRootRoute, createRoute, createRouter, type RouterHistory } from "@tanstack/react-router";
import { BrokenScreen } from "./parts/reading.tsx";
import { BooksScreen } from "./screens/books.tsx";
import { AuditScreen, EventsScreen, OrdersScreen, UnmatchedScreen } from "./screens/lists.tsx";
import { PackagesScreen } from "./screens/packages.tsx";
import { FindScreen, MemberScreen, OrderScreen } from "./screens/stories.tsx";
import { TodayScreen } from "./screens/today.tsx";
import { Shell } from "./shell.tsx";

interface Search {
  filter?: string;
  q?: string;
  /** The package that is looked at. */
  pick?: string;
}

/** Texts alone: a number that is pasted stays one letter for letter. */
const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));
const stringifySearch = (search: Record<string, unknown>): string => {
  const texts = Object.entries(search).filter(([, value]) => typeof value === "string") as [string, string][];
  const text = new URLSearchParams(texts).toString();
  return text === "" ? "" : `?${text}`;
};

const root = createRootRoute({
  component: Shell,
  validateSearch: ({ filter, q, pick }: Record<string, unknown>): Search => ({
    ...(typeof filter === "string" && { filter }),
    ...(typeof q === "string" && { q }),
    ...(typeof pick === "string" && { pick }),
  }),
});
const at = <Path extends string>(path: Path, component: () => React.ReactNode) =>
  createRoute({ getParentRoute: () => root, path, component });

const today = at("/", TodayScreen);
const orders = at("/orders", () => <OrdersScreen filter={root.useSearch().filter} />);
const unmatched = at("/unmatched", () => <UnmatchedScreen filter={root.useSearch().filter} />);
const events = at("/events", () => <EventsScreen filter={root.useSearch().filter} />);
const packages = at("/packages", () => <PackagesScreen pick={root.useSearch().pick} />);
const audit = at("/audit", AuditScreen);
const books = at("/books", BooksScreen);
const find = at("/find", () => {
  const { q = "" } = root.useSearch();
  return <FindScreen key={q} text={q} />;
});
const order = at("/order/$id", () => {
  const { id } = order.useParams();
  return <OrderScreen key={id} id={id} />;
});
const member = at("/member/$name", () => {
  const { name } = member.useParams();
  return <MemberScreen key={name} name={name} />;
});

const routeTree = root.addChildren([
  today,
  orders,
  unmatched,
  events,
  packages,
  audit,
  books,
  find,
  order,
  member,
]);

/** @param history the browser's own unless it is given */
export const createConsoleRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    defaultNotFoundComponent: TodayScreen,
    defaultErrorComponent: BrokenScreen,
    ...(history && { history }),
  });
