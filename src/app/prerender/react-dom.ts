/** React's entry points, in a chunk of their own, so that React's first run is a task of its own (`start-app.ts`). */
export { createRoot, hydrateRoot } from "react-dom/client";
