/** The picture of a receipt: drawn on a canvas, then shared with the phone, or downloaded where sharing is not supported. Decision 33. */
import type { ReceiptPicture } from "../../../machines/receipt.ts";

const WIDTH = 750;
const MARGIN = 56;
const INNER = WIDTH - 2 * MARGIN;
/** Pixels of the picture for each of the drawing: it is read on phones, and zoomed. */
const SCALE = 2;

/** The colours of the light theme: a picture is looked at anywhere. */
const colours = { ground: "#FBF8F2", ink: "#0F1626", soft: "#4B5160", line: "#E8E1D4", lamp: "#F2A33A" };
/** The mark of the logo, in a box of 22 by 32. */
const mark =
  "M13 .9C13.6 6.9 19.1 11.3 20.4 17.6A14.7 14.7 0 0 0 1.6 17.6C2.9 10.4 9.5 6.4 13 .9ZM1.3 21.4A12.2 12.2 0 0 1 20.7 21.4C20.5 23.5 19.8 25.3 18.8 26.8A8.1 8.1 0 0 0 3.2 26.8C2.2 25.3 1.5 23.5 1.3 21.4ZM5.4 29.1A5.6 5.6 0 0 1 16.6 29.1C15 30.3 13.1 31 11 31S7 30.3 5.4 29.1Z";

/** Breaks a text where it is too wide, between any two characters: numbers of transactions have no spaces. */
function linesOf(text: string, isWide: (line: string) => boolean): string[] {
  const lines = [""];
  for (const character of text) {
    const line = `${lines.at(-1)}${character}`;
    if (isWide(line)) lines.push(character);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

function draw({ brand, title, amount, lines }: ReceiptPicture): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("The browser draws nothing.");
  const family = getComputedStyle(document.body).fontFamily;
  const font = (size: number, weight = 400) => `${weight} ${size}px ${family}`;
  const [small, body] = [font(24), font(26, 550)];
  pen.font = body;
  const rows = lines.map(([label, value]) => ({
    label,
    // A long value has its label on a line of its own above it.
    values: linesOf(value, (line) => pen.measureText(line).width > INNER),
    isLong: pen.measureText(value).width > INNER * 0.6,
  }));
  const heightOf = ({ values, isLong }: (typeof rows)[number]) => 48 + (isLong ? values.length : 0) * 38 + 16;
  const head = 360;
  const height = head + rows.reduce((sum, row) => sum + heightOf(row), 0) + MARGIN;
  canvas.width = WIDTH * SCALE;
  canvas.height = height * SCALE;
  pen.scale(SCALE, SCALE);
  pen.fillStyle = colours.ground;
  pen.fillRect(0, 0, WIDTH, height);

  const write = (text: string, x: number, y: number, style: string, colour: string, isEnd = false) => {
    pen.font = style;
    pen.fillStyle = colour;
    pen.textAlign = isEnd ? "right" : "left";
    pen.fillText(text, x, y);
  };
  pen.save();
  pen.translate(MARGIN, MARGIN);
  pen.scale(1.6, 1.6);
  pen.fillStyle = colours.lamp;
  const shape = new Path2D(mark);
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- the pen is no array
  pen.fill(shape);
  pen.restore();
  write(brand, MARGIN + 52, MARGIN + 40, font(38, 680), colours.ink);
  write(title, MARGIN, 200, font(28, 550), colours.soft);
  write(amount, MARGIN, 272, font(60, 680), colours.ink);

  let y = head - 24;
  for (const row of rows) {
    pen.fillStyle = colours.line;
    pen.fillRect(MARGIN, y - 40, INNER, 1);
    write(row.label, MARGIN, y, small, colours.soft);
    if (row.isLong) {
      for (const [at, value] of row.values.entries())
        write(value, MARGIN, y + 40 + at * 38, body, colours.ink);
    } else write(row.values.join(""), WIDTH - MARGIN, y, body, colours.ink, true);
    y += heightOf(row);
  }
  return canvas;
}

const isDismissed = (error: unknown) => error instanceof DOMException && error.name === "AbortError";

/**
 * Saves the picture: by the phone's own sheet where there is one, which is how a picture gets among the photos, else as a download.
 * @returns false where the person closed the sheet
 */
export async function savePicture(picture: ReceiptPicture): Promise<boolean> {
  const canvas = draw(picture);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("The browser makes no picture.");
  const name = `${picture.file}.png`;
  const shared = { files: [new File([blob], name, { type: blob.type })] };
  if (window.matchMedia("(pointer: coarse)").matches && navigator.canShare?.(shared)) {
    try {
      await navigator.share(shared);
      return true;
    } catch (error) {
      if (isDismissed(error)) return false;
      // An in-app browser may claim to share files, and fail to.
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers read it only after the tap.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return true;
}
