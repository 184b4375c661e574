/** A QR code on its white tile; the tile holds its room while the drawing is fetched. */
import { lazy, Suspense, useDeferredValue } from "react";
import type * as library from "react-qr-code";
import styled from "styled-components";

/** A network that was lost is tried again after so many ms. */
const AGAIN = 3_000;

/** Asked for until it comes: without it the address beside it can be paid to all the same. */
const fetchCode = (): Promise<typeof library> =>
  import("react-qr-code").catch(async () => {
    await new Promise((resolve) => {
      setTimeout(resolve, AGAIN);
    });
    return fetchCode();
  });
const Code = lazy(fetchCode);

/** White by night too, with the four quiet modules that readers want. */
const Tile = styled.div`
  flex: none;
  width: min(100%, var(--qr-size));
  aspect-ratio: 1;
  padding: calc(var(--qr-size) * 0.108);
  border-radius: var(--radius-small);
  background: #fff;

  svg {
    width: 100%;
    height: 100%;
  }
`;

export interface QrProps {
  /** Exactly what is shown and copied; null leaves the tile empty. */
  value: string | null;
  /** What a reader finds in it, for the ear. */
  title: string;
  /** Pixels of the tile. */
  size?: number | undefined;
}

export function Qr({ value, title, size = 220 }: QrProps) {
  // Working it out takes a while, so it is done by itself: the screen around it does not wait. Of an address that was here before, nothing is shown.
  const drawn = useDeferredValue(value, null);
  return (
    <Tile role="img" aria-label={title} style={{ ["--qr-size" as string]: `${size}px` }}>
      <Suspense fallback={null}>
        {drawn === null || drawn !== value ? null : (
          <Code value={drawn} level="M" fgColor="#0F1626" bgColor="#FFFFFF" aria-hidden="true" />
        )}
      </Suspense>
    </Tile>
  );
}
