/** The two languages of the product and where their catalogues live. */
import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";

const screenToasts = "src/app/messages/screen-toasts.ts";
const agreement = "src/app/screens/agreement.tsx";
/** What the landing page brings, and what may have a word to say on any screen. */
const front = [
  "screens/landing",
  "components/landing-bar",
  "components/landing-cards",
  "components/error-fallback",
  "components/loading",
  "components/not-found",
  "components/slow-notice",
].map((file) => `src/app/${file}.tsx`);

export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "zh-CN"],
  catalogs: [
    {
      path: "<rootDir>/locales/{locale}/messages",
      include: [
        "src/app/*.{ts,tsx}",
        "src/app/messages",
        "src/app/navigation",
        "src/app/ports",
        "src/app/runtime",
        "src/app/shell",
        "src/app/ui",
        ...front,
      ],
      exclude: [screenToasts],
    },
    // All other screens'.
    {
      path: "<rootDir>/locales/{locale}/screens",
      include: ["src/app/components", "src/app/screens", screenToasts],
      exclude: [agreement, ...front],
    },
    // In the written pages alone, never in the app.
    { path: "<rootDir>/locales/{locale}/pages", include: ["src/app/prerender"] },
    // The operator's page, which is an app of its own.
    { path: "<rootDir>/locales/{locale}/console", include: ["src/console"] },
    // As long as all the rest, and read by few.
    { path: "<rootDir>/locales/{locale}/agreement", include: [agreement] },
  ],
  format: formatter({ lineNumbers: false, origins: false }),
  orderBy: "messageId",
});
