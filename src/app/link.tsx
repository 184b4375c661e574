/** What leads on from a screen, and back from it: links that the app follows by itself, and the arrow. */
import type { ComponentProps, ElementType, MouseEvent } from "react";
import { useApp } from "./app.ts";
import { addressOf, type Place } from "./places.ts";

type LinkProps = Place & Omit<ComponentProps<"a">, "href" | "target">;

/** Whether whoever taps wants the place here, not in a window of its own. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/** A link with the looks of `Anchor`. What it leads to is on its way as soon as a finger comes down on it. */
export const createLink = (Anchor: ElementType<ComponentProps<"a">>) =>
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it is made for this Anchor
  function Link({ to, params, onClick, ...rest }: LinkProps & { params?: object }) {
    const { ways } = useApp();
    const place = { to, params } as Place;
    const prepare = () => ways.prepare(place);
    return (
      <Anchor
        {...rest}
        href={addressOf(place)}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={(event: MouseEvent<HTMLAnchorElement>) => {
          onClick?.(event);
          if (!isPlain(event)) return;
          event.preventDefault();
          ways.go(place);
        }}
      />
    );
  };

export const Link = createLink("a");

/** The arrow at the top of a screen: always to the same place. */
export function useBack(place: Place) {
  const { ways } = useApp();
  return () => ways.goBack(place);
}
