/** A QR code on its white tile; the tile holds its room until there is something to draw. */
import { lazy, Suspense, useDeferredValue } from "react";
import styled from "styled-components";

/** In a file of its own. Drawn only once that is here, so that this never waits for a network, and never fails. */
const Code = lazy(() => import("react-qr-code"));

/** White by night too, with the four quiet modules that readers want. */
const Tile = styled.div`
  flex: none;
  width: min(100%, var(--qr-size));
  aspect-ratio: 1;
  padding: calc(var(--qr-size) * 0.108);
  border-radius: var(--radius-small);
  background: #fff;
  /* No reader finds a code without them, whatever colours the system chooses. */
  forced-color-adjust: none;

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
