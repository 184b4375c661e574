/** Where drizzle-kit finds the tables and puts the migrations: `npx drizzle-kit generate` after a change of the schema. */
import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./src/service/store/schema.ts",
  out: "./src/service/store/migrations",
});
