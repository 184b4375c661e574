/** The whole app as one element: the same in the browser and where the build writes its pages. */
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { StrictMode, Suspense, useLayoutEffect } from "react";
import { AppProvider } from "./app.ts";
import type { App } from "./compose.ts";
import { Shell } from "./views/shell.tsx";

/** @param drawn called once it stands in the page */
export const wholeOf = (app: App, drawn?: () => void) => (
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <AppProvider value={app}>
        {/* React brings what stands in here to life in steps, and lets a touch come between them. */}
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
