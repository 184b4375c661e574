/** Links inside the app, and the arrow at the top of a screen. */
import type { ComponentProps, ElementType, MouseEvent } from "react";
import type { Place } from "../../../machines/navigation.ts";
import { useApp } from "../runtime/hooks.ts";
import { addressOf, type Destination } from "../navigation/routes.ts";

type LinkProps = Destination & Omit<ComponentProps<"a">, "href" | "target">;

/** A click that opens the destination here, not in a new tab or window. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/**
 * A link that looks like `Anchor` and loads its screen when it is hovered, focused or touched. The router's own link
 * would draw every kept view anew with each navigation, to mark the active one.
 */
export const linkWith = (Anchor: ElementType<ComponentProps<"a">>) =>
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it is made for this Anchor
  function Link({ to, params, onClick, ...rest }: LinkProps & { params?: object }) {
    const { navigation } = useApp();
    const destination = { to, params } as Destination;
    const preload = () => navigation.preload(destination);
    return (
      <Anchor
        {...rest}
        href={addressOf(destination)}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={(event: MouseEvent<HTMLAnchorElement>) => {
          onClick?.(event);
          if (!isPlain(event)) return;
          event.preventDefault();
          navigation.navigate(destination);
        }}
      />
    );
  };

export const Link = linkWith("a");

/** The arrow at the top of a screen: always to the same destination. @param places as of `goBack` */
export function useBack(destination: Destination, ...places: Place[]) {
  const { navigation } = useApp();
  return () => navigation.goBack(destination, ...places);
}
