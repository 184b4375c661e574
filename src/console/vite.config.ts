/** Builds the operator's page: an app of its own, which shares no file with the shop's build. */
import { join } from "node:path";
import babel from "@rolldown/plugin-babel";
import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { ground } from "../app/prerender/vite-plugin.ts";

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [
    react(),
    lingui({ failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset()] }),
    ground(),
  ],
  // Rules go in one by one: the page's policy refuses a style element that is given a text.
  define: { SC_DISABLE_SPEEDY: "false" },
  build: {
    target: "es2022",
    manifest: true,
    outDir: join(import.meta.dirname, "../../build/console"),
    emptyOutDir: true,
    // A drawing that stood in the script as data would be a request that the policy refuses.
    assetsInlineLimit: 0,
  },
});
