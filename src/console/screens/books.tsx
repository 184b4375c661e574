/** The book of a month: as a CSV file, and held against chains and providers. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { Button } from "../../app/ui/button.tsx";
import { Card } from "../../app/ui/card.tsx";
import { Field } from "../../app/ui/field.tsx";
import { Stack } from "../../app/ui/stack.tsx";
import { Note } from "../../app/ui/text.tsx";
import { saveFile } from "../ports/browser.ts";
import { Buttons } from "../parts/layout.tsx";
import { ErrorWords } from "../parts/reading.tsx";
import { useConsole } from "../runtime.tsx";
import { errorOf, type CallError } from "../../../machines/call-error.ts";

const quoted = (value: unknown) => {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows as CSV: a column for each name that any row has. */
function csvOf(rows: readonly Record<string, unknown>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((cells) => cells.map(quoted).join(","))
    .join("\n");
}

export function BooksScreen() {
  const { t } = useLingui();
  const { calls } = useConsole();
  const [month, setMonth] = useState("");
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<CallError | null>(null);
  const save = async (command: "export" | "reconcile") => {
    setBusy(command);
    setError(null);
    try {
      const answer = await calls.ask(command, [month.trim()], new AbortController().signal);
      saveFile(
        `${command}-${month.trim()}.csv`,
        "file" in answer ? answer.file : csvOf(answer.rows),
        "text/csv",
      );
    } catch (thrown) {
      setError(errorOf({ event: { error: thrown } }).error);
    } finally {
      setBusy(null);
    }
  };
  return (
    <>
      <h1>
        <Trans>Books</Trans>
      </h1>
      <Card>
        <Stack>
          <Field
            label={<Trans>Month</Trans>}
            placeholder="2026-11"
            value={month}
            autoComplete="off"
            aria-label={t`Month`}
            onChange={(event) => setMonth(event.currentTarget.value)}
          />
          <Note>
            <Trans>
              The book has a line for each movement of money. The reconciliation says where the money of the
              month stands, and whether the book agrees with chains and providers.
            </Trans>
          </Note>
          <ErrorWords error={error} />
          <Buttons>
            <Button busy={busy === "export"} disabled={month === ""} onClick={() => void save("export")}>
              <Trans>Save the book</Trans>
            </Button>
            <Button
              tone="secondary"
              busy={busy === "reconcile"}
              disabled={month === ""}
              onClick={() => void save("reconcile")}
            >
              <Trans>Save the reconciliation</Trans>
            </Button>
          </Buttons>
        </Stack>
      </Card>
    </>
  );
}
