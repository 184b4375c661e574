/** Reads a QR code off the screen as a camera would: from its pixels, by the standard (ISO/IEC 18004), sharing nothing with what draws it. */
import type { Locator } from "playwright-core";

/** Ms. */
const PATIENCE = 5_000;

/** The text in the code that `drawing` shows. Knows what one block of bytes holds: up to version 3, level L or M. */
export async function readQr(drawing: Locator): Promise<string> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      const png = (await drawing.screenshot()).toString("base64");
      return decode(await drawing.evaluate(modulesOf, png));
    } catch (error) {
      // As a camera does: what is still being drawn is looked at again.
      if (Date.now() > end) throw error;
    }
  }
}

/** Runs in the page: the dark modules of the picture, row by row. */
async function modulesOf(_: unknown, png: string): Promise<boolean[][]> {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
  context.drawImage(picture, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, picture.width, picture.height);
  const dark = (x: number, y: number) => (data[(y * width + x) * 4 + 1] ?? 255) < 128;
  const columns = [...Array(width).keys()].filter((x) => [...Array(height).keys()].some((y) => dark(x, y)));
  const top = [...Array(height).keys()].find((y) => columns.some((x) => dark(x, y))) ?? 0;
  const [left = 0, right = 0] = [columns[0], columns.at(-1)];
  // The finder in the corner begins with seven dark modules.
  let finder = 0;
  while (dark(left + finder, top + 1)) finder += 1;
  const size = Math.round((right + 1 - left) / (finder / 7));
  const pitch = (right + 1 - left) / size;
  const at = (start: number, index: number) => Math.floor(start + (index + 0.5) * pitch);
  return [...Array(size).keys()].map((row) =>
    [...Array(size).keys()].map((column) => dark(at(left, column), at(top, row))),
  );
}

const masks: ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

const number = (bits: boolean[]) => bits.reduce((sum, bit) => sum * 2 + (bit ? 1 : 0), 0);

function decode(modules: boolean[][]): string {
  const size = modules.length;
  const dark = (row: number, column: number) => modules[row]?.[column] === true;

  const along = [0, 1, 2, 3, 4, 5, 7].map((column) => dark(8, column));
  const down = [8, 7, 5, 4, 3, 2, 1, 0].map((row) => dark(row, 8));
  const format = number([...along, ...down]) ^ 0b101010000010010;
  // Bit 14 is clear in levels L and M.
  if (![21, 25, 29].includes(size) || format >> 14 !== 0) {
    throw new Error(`This is not a small QR code of level L or M: ${size} modules, format ${format}.`);
  }
  const mask = masks[(format >> 10) & 0b111] as (row: number, column: number) => boolean;

  const isFixed = (row: number, column: number) =>
    row === 6 ||
    column === 6 ||
    (row < 9 && (column < 9 || column >= size - 8)) ||
    (row >= size - 8 && column < 9) ||
    (size > 21 && Math.abs(row - (size - 7)) <= 2 && Math.abs(column - (size - 7)) <= 2);

  const bits: boolean[] = [];
  let upwards = true;
  for (let pair = size - 1; pair > 0; pair -= 2) {
    if (pair === 6) pair = 5;
    for (let step = 0; step < size; step += 1) {
      const row = upwards ? size - 1 - step : step;
      for (const column of [pair, pair - 1]) {
        if (!isFixed(row, column)) bits.push(dark(row, column) !== mask(row, column));
      }
    }
    upwards = !upwards;
  }
  const take = (count: number) => number(bits.splice(0, count));
  const mode = take(4);
  if (mode !== 0b0100) throw new Error(`This QR code holds no bytes but mode ${mode}.`);
  const bytes = Array.from({ length: take(8) }, () => take(8));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
