/** The two languages of the product and where their catalogues live. */
import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";

const agreement = "src/app/views/service.tsx";

export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "zh-CN"],
  catalogs: [
    { path: "<rootDir>/locales/{locale}/messages", include: ["src/app"], exclude: [agreement] },
    // As long as all the rest, and read by few.
    { path: "<rootDir>/locales/{locale}/agreement", include: [agreement] },
  ],
  format: formatter({ lineNumbers: false, origins: false }),
  orderBy: "messageId",
});
