/** The root element of the app: the same in the browser and in the prerendered pages. */
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { StrictMode, Suspense, useLayoutEffect } from "react";
import { AppProvider } from "../runtime/hooks.ts";
import type { App } from "../runtime/create-app.ts";
import { Sentence } from "../ui/sentence.tsx";
import { Shell } from "./shell.tsx";

/** @param drawn called once it is rendered */
export const rootOf = (app: App, drawn?: () => void) => (
  <StrictMode>
    <I18nProvider i18n={i18n} defaultComponent={Sentence}>
      <AppProvider value={app}>
        {/* Inside a Suspense boundary React hydrates in slices, so that a touch is answered between them. */}
        <Suspense>
          <Shell />
        </Suspense>
        {drawn ? <Drawn tell={drawn} /> : null}
      </AppProvider>
    </I18nProvider>
  </StrictMode>
);

function Drawn({ tell }: { tell: () => void }) {
  useLayoutEffect(tell, [tell]);
  return null;
}
