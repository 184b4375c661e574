/** What comes after each file of the service's tests. */
import { afterAll } from "vitest";
import { removeDirectories } from "./temporary-directory.ts";

// The first hook is the last to run: by then nothing uses them.
afterAll(removeDirectories);
