/** The two languages of the product and where their catalogues live. */
import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";

export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "zh-CN"],
  catalogs: [{ path: "<rootDir>/locales/{locale}/messages", include: ["src/app"] }],
  format: formatter({ lineNumbers: false, origins: false }),
  orderBy: "messageId",
});
