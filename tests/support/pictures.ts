/** Pictures of screens: kept small in the repository, and compared with what a screen looks like now. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { convertIndexedToRgb, decode, encode } from "fast-png";
import pixelmatch from "pixelmatch";

/** Browsers of two versions draw the edge of a letter a little differently; a letter elsewhere is another matter. */
const tolerance = { threshold: 0.16, share: 0.0015 };
const COLOURS = 256;
/** What fills this share of a picture is a surface, and keeps its colour: a card of white on a page of cream stays one. */
const SURFACE = 0.002;

interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue and opacity of each. */
  data: Uint8Array;
}

/** Keeps a picture in as few bytes as show what there is to see. */
export function keepPicture(file: string, png: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, inFewColours(read(png)));
}

/**
 * Compares a picture with the one that is kept.
 * @param failures where the picture and what differs are laid when it does not match
 * @returns what is wrong with it, in words, or null
 */
export function comparePicture(file: string, png: Uint8Array, failures: string): string | null {
  const name = file.slice(dirname(file).length + 1, -".png".length);
  const lay = (suffix: string, bytes: Uint8Array) => {
    mkdirSync(failures, { recursive: true });
    writeFileSync(join(failures, `${name}${suffix}.png`), bytes);
  };
  if (!existsSync(file)) {
    lay(".now", png);
    return `${name}: there is no such picture yet`;
  }
  const [kept, now] = [read(readFileSync(file)), read(png)];
  const { width, height } = now;
  if (kept.width !== width || kept.height !== height) {
    lay(".now", png);
    return `${name}: ${width} × ${height} instead of ${kept.width} × ${kept.height}`;
  }
  const difference = new Uint8Array(width * height * 4);
  const { threshold, share } = tolerance;
  const wrong = pixelmatch(kept.data, now.data, difference, width, height, { threshold });
  if (wrong <= share * width * height) return null;
  lay(".now", png);
  lay(".difference", encode({ width, height, data: difference, channels: 4 }));
  return `${name}: ${wrong} pixels differ`;
}

function read(png: Uint8Array): Pixels {
  const picture = decode(png);
  const { width, height } = picture;
  const colours = picture.palette ? convertIndexedToRgb(picture) : picture.data;
  const channels = colours.length / (width * height);
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      data[at * 4 + channel] = colours[at * channels + channel] ?? 0;
    }
  }
  return { width, height, data };
}

function inFewColours({ width, height, data }: Pixels): Uint8Array {
  const colours = new Uint32Array(width * height);
  const counts = new Map<number, number>();
  for (let at = 0; at < colours.length; at += 1) {
    const colour = ((data[at * 4] ?? 0) << 16) | ((data[at * 4 + 1] ?? 0) << 8) | (data[at * 4 + 2] ?? 0);
    colours[at] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  // Of other colours that are nearly alike the most frequent stands for all.
  const chosen = new Map<number, number>();
  const isSurface = (colour: number) => (counts.get(colour) ?? 0) >= SURFACE * colours.length;
  const alike = (colour: number) => (isSurface(colour) ? -colour - 1 : (colour >> 4) & 0x0f0f0f);
  const ranked = [...counts.keys()].toSorted(
    (one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0),
  );
  for (const colour of ranked) if (!chosen.has(alike(colour))) chosen.set(alike(colour), colour);
  const palette = [...chosen.values()].slice(0, COLOURS).map(partsOf);
  // The rarest go to whichever of the others is nearest.
  const places = new Map(
    [...chosen].map(([key, colour], at) => [key, at < COLOURS ? at : nearest(partsOf(colour))]),
  );
  function nearest([red = 0, green = 0, blue = 0]: readonly number[]): number {
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (const [at, [r = 0, g = 0, b = 0]] of palette.entries()) {
      const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      if (distance < least) [best, least] = [at, distance];
    }
    return best;
  }
  return encode(
    {
      width,
      height,
      data: Uint8Array.from(colours, (colour) => places.get(alike(colour)) ?? 0),
      channels: 1,
      palette,
    },
    { zlib: { level: 9 } },
  );
}

const partsOf = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255];
