/** The two languages of the product and where their catalogues live. */
import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";

const agreement = "src/app/views/service.tsx";
/** What the landing page brings, and what may have a word to say on any screen. */
const everywhere = [
  "home",
  "home-bar",
  "home-cards",
  "kept-views",
  "shell",
  "broken",
  "loading",
  "lost",
  "slow",
];
const front = everywhere.map((view) => `src/app/views/${view}.tsx`);

export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "zh-CN"],
  catalogs: [
    {
      path: "<rootDir>/locales/{locale}/messages",
      include: ["src/app/*.{ts,tsx}", "src/app/ports", "src/app/parts", ...front],
    },
    // All other screens'.
    {
      path: "<rootDir>/locales/{locale}/screens",
      include: ["src/app/views"],
      exclude: [agreement, ...front],
    },
    // As long as all the rest, and read by few.
    { path: "<rootDir>/locales/{locale}/agreement", include: [agreement] },
  ],
  format: formatter({ lineNumbers: false, origins: false }),
  orderBy: "messageId",
});
