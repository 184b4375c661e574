/** Opens the operator's page. */
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { preferredLanguage, setLanguage, takeLink } from "./ports/browser.ts";
import { createConsoleRouter } from "./router.tsx";
import { ConsoleProvider, createConsole } from "./runtime.tsx";

const app = createConsole(takeLink());
const router = createConsoleRouter();
await setLanguage(preferredLanguage());
createRoot(document.getElementById("root") as HTMLElement).render(
  <I18nProvider i18n={i18n}>
    <ConsoleProvider value={app}>
      <RouterProvider router={router} />
    </ConsoleProvider>
  </I18nProvider>,
);
