/** Design tokens as plain data: colours for both schemes, type, space, shape and motion. `style.ts` turns them into CSS variables. */

/** Colours by purpose; every text colour meets WCAG AA on the surfaces it is used on. */
export interface Colours {
  /** The page's background. */
  ground: string;
  /** Raised surfaces: cards, sheets, fields. */
  card: string;
  /** Sunken surfaces: quiet buttons, disabled controls, skeletons. */
  well: string;
  ink: string;
  soft: string;
  faint: string;
  hairline: string;
  /** Borders of controls (3:1): fields, unticked boxes. */
  edge: string;
  primary: string;
  primaryPressed: string;
  onPrimary: string;
  /** Warm text: links, discounts. */
  accent: string;
  accentTint: string;
  /** The one bright colour of a screen. Never for text. */
  lamp: string;
  lampTint: string;
  /** The lamp's light on a surface. */
  glow: string;
  onLamp: string;
  success: string;
  successTint: string;
  failure: string;
  failureTint: string;
  failureFill: string;
  onFailure: string;
  /** The inverse of the background, for messages above everything. */
  inverse: string;
  onInverse: string;
  /** On the inverse background: the other scheme's success and failure colours. */
  inverseSuccess: string;
  inverseFailure: string;
  veil: string;
  shadow: string;
}

export const colours: { light: Colours; dark: Colours } = {
  light: {
    ground: "#FBF8F2",
    card: "#FFFFFF",
    well: "#F3EEE4",
    ink: "#0F1626",
    soft: "#4B5160",
    faint: "#676A74",
    hairline: "#E8E1D4",
    edge: "#928B7E",
    primary: "#0F1626",
    primaryPressed: "#28324A",
    onPrimary: "#FBF8F2",
    accent: "#A94F0B",
    accentTint: "#FCF0DC",
    lamp: "#F2A33A",
    lampTint: "#FBE3BB",
    glow: "rgb(242 163 58 / 0.16)",
    onLamp: "#1D1303",
    success: "#2C6A4C",
    successTint: "#E6F0E8",
    failure: "#A2331F",
    failureTint: "#FAEAE4",
    failureFill: "#A2331F",
    onFailure: "#FFF8F4",
    inverse: "#182136",
    onInverse: "#FBF8F2",
    inverseSuccess: "#86C8A4",
    inverseFailure: "#F2957F",
    veil: "rgb(15 22 38 / 0.44)",
    shadow: "rgb(58 42 14 / 0.10)",
  },
  dark: {
    ground: "#0A0F1C",
    card: "#131A2A",
    well: "#1B2336",
    ink: "#F4EFE5",
    soft: "#B9BBC3",
    faint: "#9296A2",
    hairline: "#232B3D",
    edge: "#687087",
    primary: "#F2A33A",
    primaryPressed: "#D98C25",
    onPrimary: "#1D1303",
    accent: "#F3B35F",
    accentTint: "#272019",
    lamp: "#F2A33A",
    lampTint: "#4A3413",
    glow: "rgb(242 163 58 / 0.09)",
    onLamp: "#1D1303",
    success: "#86C8A4",
    successTint: "#14291F",
    failure: "#F2957F",
    failureTint: "#341A17",
    failureFill: "#A83A26",
    onFailure: "#FFF8F4",
    inverse: "#F4EFE5",
    onInverse: "#0F1626",
    inverseSuccess: "#2C6A4C",
    inverseFailure: "#A2331F",
    veil: "rgb(3 5 11 / 0.66)",
    shadow: "rgb(0 0 0 / 0.4)",
  },
};

/** Pixels at the browser's default text size; written in rem, so that the user's text size applies. */
export const sizes = [12, 14, 16, 20, 26, 34] as const;

/** Line heights by language: Han characters are denser and need more space. */
export const leading = {
  en: { body: "1.55", tight: "1.2", tracking: "-0.018em" },
  zh: { body: "1.7", tight: "1.36", tracking: "0" },
};

const latin = "ui-sans-serif, system-ui";
/** Named fonts of phones: a font fallback per character takes longer. */
const han = '"PingFang SC", "HarmonyOS Sans SC", MiSans, "Noto Sans SC", "Noto Sans CJK SC"';
/** The only Han font of old Androids and bare Linux; listed after the Latin one, because its own Latin is poor. */
const lastHan = '"Droid Sans Fallback"';

export const faces = {
  en: `${latin}, ${han}, ${lastHan}, sans-serif`,
  zh: `${han}, ${latin}, ${lastHan}, sans-serif`,
  mono: 'ui-monospace, "SF Mono", SFMono-Regular, Menlo, "Roboto Mono", "Cascadia Mono", Consolas, "DejaVu Sans Mono", monospace',
};

/** Corner radii in pixels: fields and buttons, cards, sheets. */
export const radii = { small: 12, card: 20, sheet: 28 };

/** Shared measures, in pixels. */
export const measures = { gutter: 16, column: 480, control: 52, touch: 44, bar: 56 };

/** Durations in ms: touch feedback, moving elements, screens. */
export const motion = { touch: 120, move: 240, screen: 360, ease: "cubic-bezier(0.2, 0.8, 0.2, 1)" };
