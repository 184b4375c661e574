/** The whole app as one element: the same in the browser and where the build writes its pages. */
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { AppProvider } from "./app.ts";
import type { App } from "./compose.ts";
import type { AppRouter } from "./routes.tsx";
import { GlobalStyle } from "./theme/style.ts";

export const wholeOf = (app: App, router: AppRouter) => (
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <AppProvider value={app}>
        <GlobalStyle />
        <RouterProvider router={router} />
      </AppProvider>
    </I18nProvider>
  </StrictMode>
);
