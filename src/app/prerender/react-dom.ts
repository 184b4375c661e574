/** React's way into the page, in a file by itself: what it does as it is first run is a task of its own (`start-app.ts`). */
export { createRoot, hydrateRoot } from "react-dom/client";
