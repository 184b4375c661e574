/** Global styles: tokens as CSS variables for both colour schemes, a reset, type by language, focus and motion. The build inlines them in every page's head (`prerender/vite-plugin.ts`), so that they need no script. */
import { colours, faces, leading, measures, motion, radii, sizes, type Colours } from "./tokens.ts";

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `{ onPrimary: "#fff" }` → `--on-primary: #fff;` */
const variables = (colour: Colours) =>
  Object.entries(colour)
    .map(([name, value]) => `--${kebab(name)}: ${value};`)
    .join("\n");

const typeFor = (language: "en" | "zh") => `
  --face: ${faces[language]};
  --leading: ${leading[language].body};
  --leading-tight: ${leading[language].tight};
  --tracking-tight: ${leading[language].tracking};
`;

export const style = `
  :root {
    color-scheme: light dark;
    ${variables(colours.light)}
    ${sizes.map((size) => `--size-${size}: ${size / 16}rem;`).join("\n")}
    --mono: ${faces.mono};
    --radius-small: ${radii.small}px;
    --radius-card: ${radii.card}px;
    --radius-sheet: ${radii.sheet}px;
    --gutter: ${measures.gutter}px;
    --column: ${measures.column}px;
    --control: ${measures.control}px;
    --touch: ${measures.touch}px;
    --bar: ${measures.bar}px;
    --touch-time: ${motion.touch}ms;
    --move-time: ${motion.move}ms;
    --screen-time: ${motion.screen}ms;
    --ease: ${motion.ease};
    --safe-top: env(safe-area-inset-top, 0px);
    --safe-right: env(safe-area-inset-right, 0px);
    --safe-bottom: env(safe-area-inset-bottom, 0px);
    --safe-left: env(safe-area-inset-left, 0px);
    --shadow-floating: 0 2px 6px var(--shadow), 0 18px 48px -8px var(--shadow);
    --by-clause: normal;
    ${typeFor("en")}
  }
  @media (prefers-color-scheme: dark) {
    :root {
      ${variables(colours.dark)}
    }
  }
  /* The dark scheme's colours for content on a dark picture. */
  [data-night] {
    ${variables(colours.dark)}
  }
  /* Chinese lines that break between clauses. Not in WebKit, where \`keep-all\` makes a whole sentence one word, wider than the phone; it lacks \`auto-phrase\`, so the query excludes it. */
  @supports (word-break: auto-phrase) { :root { --by-clause: keep-all; } }
  :lang(en) { ${typeFor("en")} }
  :lang(zh) { ${typeFor("zh")} }

  /* Not for \`::before\` and \`::after\`: the browser would compute a style for each unused one. */
  * { box-sizing: border-box; margin: 0; padding: 0; -webkit-tap-highlight-color: transparent; }

  html {
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
    background: var(--ground);
    color: var(--ink);
    accent-color: var(--accent);
    scroll-padding-block: calc(var(--bar) + var(--safe-top) + 8px) 168px;
  }
  /* The page behind a sheet or dialog does not scroll. */
  html:has(#root[inert], dialog:modal) { overflow: hidden; }
  body {
    font-family: var(--face);
    font-size: var(--size-16);
    line-height: var(--leading);
    overflow-wrap: break-word;
    text-wrap: pretty;
    -webkit-font-smoothing: antialiased;
    -moz-osx-font-smoothing: grayscale;
    text-rendering: optimizeLegibility;
  }
  [lang] { font-family: var(--face); line-height: var(--leading); }
  /* A page fills the height that the banner leaves. */
  #root { display: flex; flex-direction: column; min-height: 100vh; min-height: 100dvh; }

  h1, h2, h3, h4 {
    font-weight: 650;
    line-height: var(--leading-tight);
    letter-spacing: var(--tracking-tight);
    text-wrap: balance;
  }
  ul, ol { list-style: none; }
  img, svg { display: block; max-width: 100%; flex: none; }
  .icon {
    width: 1.5rem;
    height: 1.5rem;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  input, button, textarea, select { font: inherit; letter-spacing: inherit; color: inherit; }
  button { background: none; border: 0; cursor: pointer; touch-action: manipulation; }
  fieldset { border: 0; min-width: 0; }
  a {
    color: var(--accent);
    text-decoration-line: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 0.2em;
    touch-action: manipulation;
  }
  [hidden] { display: none !important; }

  :focus { outline: none; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  /* Only the app focuses it, for screen readers. */
  h1:focus-visible { outline: none; }
  /* Inherited from the body. On every element, the browser would restyle the whole page at both ends of a view transition. */
  body::selection { background: var(--lamp-tint); color: var(--ink); }

  /* View transitions between documents look like those within one (\`shell/kept-views.tsx\`). */
  @media (prefers-reduced-motion: no-preference) { @view-transition { navigation: auto; } }
  ::view-transition { background: var(--ground); }
  ::view-transition-old(root) { animation: view-out var(--touch-time) ease-in both; }
  ::view-transition-new(root) { animation: view-in var(--screen-time) var(--ease) both; }
  @keyframes view-out { to { opacity: 0; translate: calc(var(--side) * -24px); } }
  @keyframes view-in { from { opacity: 0; translate: calc(var(--side) * 40px); } }
`;
