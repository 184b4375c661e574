/** A change of an operator's: its form, made from the table of commands; what it would change; agreeing to it; what was done, and its undoing. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useCallback, useRef, useState, type ReactNode } from "react";
import type { ShownChange, TableRow } from "../../contract/console.ts";
import { Badge } from "../../app/ui/badge.tsx";
import { Button } from "../../app/ui/button.tsx";
import { Card } from "../../app/ui/card.tsx";
import { Choice, Choices } from "../../app/ui/choice.tsx";
import { Field } from "../../app/ui/field.tsx";
import { focusAgain } from "../../app/ui/focus.ts";
import { Stack } from "../../app/ui/stack.tsx";
import { Heading, Note } from "../../app/ui/text.tsx";
import { newTicket } from "../ports/browser.ts";
import { useChange, useCommand, type ChangeRef } from "../runtime.tsx";
import {
  balanceWords,
  choiceWords,
  commandNotes,
  commandWords,
  fieldWords,
  reasonWords,
  statusWords,
} from "../words.ts";
import { shownDate, shownTime } from "./format.ts";
import { CatalogueDifferences } from "./packages.tsx";
import { useNames } from "./names.ts";
import { Buttons, Code, Facts } from "./layout.tsx";
import { ErrorWords, OfService } from "./reading.tsx";

interface ActionsProps {
  names: readonly string[];
  /** The first words of each command: what it is about. */
  args: readonly string[];
  /** Told whether a change is open. */
  onChosen?: ((isOpen: boolean) => void) | undefined;
}

/** The buttons of what can be done about a thing, and the change that was chosen. */
export function Actions({ names, args, onChosen }: ActionsProps) {
  const name = useNames();
  const [chosen, setChosen] = useState<string | null>(null);
  const choose = (next: string | null) => {
    setChosen(next);
    onChosen?.(next !== null);
  };
  // What was done stays, with its undoing, though it is possible no more.
  if (names.length === 0 && chosen === null) return null;
  return (
    // In a line of a list, below what stands beside each other there.
    <Stack style={{ gridColumn: "1 / -1" }}>
      <Buttons>
        {names.map((each) => (
          <Button
            key={each}
            tone="secondary"
            aria-expanded={each === chosen}
            onClick={() => choose(each === chosen ? null : each)}
          >
            {name(commandWords, each)}
          </Button>
        ))}
      </Buttons>
      {chosen === null ? null : (
        <ChangePanel key={chosen} command={chosen} args={args} onClose={() => choose(null)} />
      )}
    </Stack>
  );
}

interface ChangePanelProps {
  command: string;
  args: readonly string[];
  /** What the fields hold at first: what is so now. Of these, only what is altered is sent. */
  values?: Readonly<Record<string, string>>;
  title?: string;
  onClose: () => void;
}

const NO_VALUES = {};

export function ChangePanel({ command, args, values = NO_VALUES, title, onClose }: ChangePanelProps) {
  const name = useNames();
  const row = useCommand(command);
  const change = useChange({ command, args, options: {} });
  const isFilling = useSelector(change, (state) => state.matches("filling"));
  const isPreviewing = useSelector(change, (state) => state.matches("previewing"));
  const isDone = useSelector(change, (state) => state.matches("done"));
  const isUnsure = useSelector(change, (state) => state.matches("unsure"));
  const isUndo = useSelector(change, ({ context }) => context.isUndo);
  const preview = useSelector(change, ({ context }) => context.preview);
  const error = useSelector(change, ({ context }) => context.error);
  const [opener] = useState(() => document.activeElement);
  const isOpened = useRef(false);
  /** Each step after the first has the focus at its heading: what had it before is gone. */
  const arrive = useCallback((heading: HTMLHeadingElement | null) => {
    if (!heading) return;
    if (isOpened.current) heading.focus();
    isOpened.current = true;
  }, []);
  if (!row) return null;
  const isForm = isFilling || (isPreviewing && !isUndo);
  const close = () => {
    if (opener instanceof HTMLElement) focusAgain(opener);
    onClose();
  };
  const called = title ?? name(commandWords, command);
  return (
    <Card aria-label={called}>
      <Stack>
        <Heading
          as="h2"
          key={isForm ? "form" : isDone ? "done" : isUnsure ? "unsure" : "agreeing"}
          ref={arrive}
          tabIndex={-1}
        >
          {isUndo ? <Trans>Undo: {called}</Trans> : called}
        </Heading>
        {isForm ? <ChangeForm row={row} args={args} values={values} change={change} onClose={close} /> : null}
        {preview && !isFilling && !isPreviewing && !isDone ? (
          <Agreeing change={change} shown={preview.details as ShownChange} confirm={preview.confirm} />
        ) : null}
        {isUnsure ? (
          <Stack data-gap="tight">
            <ErrorWords error={error} />
            <Note>
              <Trans>It may have been done. Ask again: it is done at most once.</Trans>
            </Note>
            <Buttons>
              <Button onClick={() => change.send({ type: "retry" })}>
                <Trans>Ask again</Trans>
              </Button>
            </Buttons>
          </Stack>
        ) : (
          <ErrorWords error={error} />
        )}
        {isDone ? <DoneView change={change} onClose={close} /> : null}
      </Stack>
    </Card>
  );
}

/** What is filled in: all that the table says the command takes, but for what it is about and its ticket. */
function ChangeForm({
  row,
  args,
  values,
  change,
  onClose,
}: Required<Pick<ChangePanelProps, "args" | "values" | "onClose">> & { row: TableRow; change: ChangeRef }) {
  const name = useNames();
  const isBusy = useSelector(change, (state) => state.matches("previewing"));
  const notes = commandNotes[row.name];
  const words = row.args.slice(args.length);
  const options = row.options.filter((each) => each.name !== "ticket" && each.name !== "all");
  // Back from the preview, the fields hold what was typed.
  const given = useSelector(change, ({ context }) => context.given);
  const valueOf = (field: string) => {
    const word = words.findIndex((each) => each.name === field);
    return word < 0 ? (given.options[field] ?? values[field]) : given.args[args.length + word];
  };
  const submit = (form: FormData) => {
    const text = (field: string) => {
      const value = form.get(field);
      return typeof value === "string" ? value.trim() : "";
    };
    change.send({
      type: "form.submitted",
      given: {
        command: row.name,
        args: [...args, ...words.map((each) => text(each.name))].filter((each) => each !== ""),
        options: Object.fromEntries([
          ...options
            .map(({ name: option }) => [option, text(option)] as const)
            .filter(([option, value]) => value !== "" && value !== values[option]),
          ["ticket", newTicket()],
        ]),
      },
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <Stack>
        {notes ? <Note>{name(commandNotes, row.name)}</Note> : null}
        {[...words, ...options].map((each) =>
          each.isFlag ? (
            <label key={each.name}>
              <input type="checkbox" name={each.name} value="yes" /> {name(fieldWords, each.name)}
            </label>
          ) : each.choices.length > 0 ? (
            <Choices key={each.name} legend={name(fieldWords, each.name)}>
              {each.choices.map((choice) => (
                <Choice
                  key={choice}
                  name={each.name}
                  value={choice}
                  title={name(choiceWords, choice)}
                  defaultChecked={choice === valueOf(each.name)}
                />
              ))}
            </Choices>
          ) : (
            <Field
              key={each.name}
              label={name(fieldWords, each.name)}
              name={each.name}
              required={!each.optional}
              autoComplete="off"
              defaultValue={valueOf(each.name)}
              {...inputOf(each.name)}
              {...(each.name === "day" ? { placeholder: "2026-12-31" } : {})}
            />
          ),
        )}
        <Buttons>
          <Button type="submit" busy={isBusy}>
            <Trans>Show what would change</Trans>
          </Button>
          <Button type="button" tone="quiet" onClick={onClose}>
            <Trans>Not now</Trans>
          </Button>
        </Buttons>
      </Stack>
    </form>
  );
}

/** Which keyboard a phone shows for a field. */
const keyboards: Readonly<Record<string, "numeric" | "decimal">> = {
  days: "numeric",
  place: "numeric",
  price: "decimal",
  "buy-price": "decimal",
};
const inputOf = (field: string) => {
  const inputMode = keyboards[field];
  return inputMode === undefined ? {} : { inputMode };
};

const Arrow = ({ from, to }: { from: ReactNode; to: ReactNode }) => (
  <>
    {from} → <strong>{to}</strong>
  </>
);

/** What a change does to members, orders and rows, and what it says besides. */
export function Differences({ shown: { before, after, notes, warnings } }: { shown: ShownChange }) {
  const { t, i18n } = useLingui();
  const name = useNames();
  const day = (iso: string | null) => (iso === null ? t`never` : shownDate(iso, i18n.locale));
  /** Two days, or two times of one. */
  const shownBoth = (from: string | null, to: string | null) =>
    from !== null && to !== null && day(from) === day(to)
      ? { from: shownTime(from, i18n.locale), to: shownTime(to, i18n.locale) }
      : { from: day(from), to: day(to) };
  const opened = t({ message: "open", context: "account" });
  return (
    <Stack data-gap="tight">
      <Facts>
        {after.members.map((each) => {
          const was = before.members.find(({ id }) => id === each.id) ?? each;
          return [
            <dt key={`m${each.id}`}>
              <Trans>Membership of {each.member}</Trans>
            </dt>,
            <dd key={`e${each.id}`}>
              {was.ends === each.ends ? (
                <Trans>until {day(each.ends)}, as before</Trans>
              ) : (
                <Arrow {...shownBoth(was.ends, each.ends)} />
              )}
            </dd>,
            ...(was.lockedAt === each.lockedAt
              ? []
              : [
                  <dt key={`l${each.id}`}>
                    <Trans>Account</Trans>
                  </dt>,
                  <dd key={`k${each.id}`}>
                    <Arrow
                      from={was.lockedAt === null ? opened : t`locked`}
                      to={each.lockedAt === null ? opened : t`locked`}
                    />
                  </dd>,
                ]),
            ...(was.hasQuestion === each.hasQuestion
              ? []
              : [
                  <dt key={`q${each.id}`}>
                    <Trans>Security question</Trans>
                  </dt>,
                  <dd key={`a${each.id}`}>
                    <Arrow
                      from={was.hasQuestion ? t`set` : t`not set`}
                      to={each.hasQuestion ? t`set` : t`not set`}
                    />
                  </dd>,
                ]),
          ];
        })}
        {after.orders.map((each) => {
          const was = before.orders.find(({ order }) => order === each.order) ?? each;
          const balances = [...new Set([...Object.keys(was.balances), ...Object.keys(each.balances)])].filter(
            (balance) => balance in balanceWords && was.balances[balance] !== each.balances[balance],
          );
          return [
            <dt key={each.order}>
              <Trans>
                Order <Code>{each.order}</Code>, {each.amount}
              </Trans>
            </dt>,
            <dd key={`s${each.order}`}>
              {was.status === each.status ? (
                name(statusWords, each.status)
              ) : (
                <Arrow from={name(statusWords, was.status)} to={name(statusWords, each.status)} />
              )}
            </dd>,
            ...balances.flatMap((balance) => [
              <dt key={`${each.order}${balance}`}>{name(balanceWords, balance)}</dt>,
              <dd key={`${each.order}${balance}=`}>
                <Arrow from={was.balances[balance] ?? "0.00"} to={each.balances[balance] ?? "0.00"} />
              </dd>,
            ]),
          ];
        })}
        {after.unmatched
          .map((each) => ({ each, was: before.unmatched.find(({ row }) => row === each.row) }))
          .filter(({ each, was }) => was?.resolvedAt !== each.resolvedAt)
          .map(({ each }) => [
            <dt key={`r${each.row}`}>
              {name(reasonWords, each.reason)}, {each.amount}
            </dt>,
            <dd key={`w${each.row}`}>
              <strong>{each.resolvedAt === null ? t`open` : t`settled`}</strong>
            </dd>,
          ])}
      </Facts>
      {before.catalogue && after.catalogue ? (
        <CatalogueDifferences before={before.catalogue} after={after.catalogue} />
      ) : null}
      {notes.map((note) => (
        <Note key={note}>
          <OfService text={note} />
        </Note>
      ))}
      {warnings.map((warning) => (
        <Note key={warning} data-tone="failure">
          <strong>
            <Trans>Look again:</Trans>
          </strong>{" "}
          <OfService text={warning} />
        </Note>
      ))}
    </Stack>
  );
}

function Agreeing({ change, shown, confirm }: { change: ChangeRef; shown: ShownChange; confirm: string }) {
  const { t } = useLingui();
  const typed = useSelector(change, ({ context }) => context.typed);
  const canAgree = useSelector(change, (state) => state.can({ type: "change.confirmed" }));
  const isBusy = useSelector(change, (state) => state.matches("performing"));
  const isUnsure = useSelector(change, (state) => state.matches("unsure"));
  return (
    <Stack>
      <Differences shown={shown} />
      <ForGood command={shown.command} />
      {isUnsure ? null : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            change.send({ type: "change.confirmed" });
          }}
        >
          <Stack>
            <Field
              label={
                <>
                  <Trans>To do it, type</Trans> <Code translate="no">{confirm}</Code>
                </>
              }
              aria-label={t`To do it, type ${confirm}`}
              value={typed}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              readOnly={isBusy}
              onChange={(event) =>
                change.send({ type: "confirmation.typed", text: event.currentTarget.value })
              }
            />
            <Buttons>
              <Button type="submit" data-agree="" disabled={!canAgree && !isBusy} busy={isBusy}>
                <Trans>Do it</Trans>
              </Button>
              <Button type="button" tone="quiet" onClick={() => change.send({ type: "preview.dismissed" })}>
                <Trans>Back</Trans>
              </Button>
            </Buttons>
          </Stack>
        </form>
      )}
    </Stack>
  );
}

function DoneView({ change, onClose }: { change: ChangeRef; onClose: () => void }) {
  const { t } = useLingui();
  const done = useSelector(change, ({ context }) => context.done);
  const command = useSelector(change, ({ context }) => context.given.command);
  const noUndo = useCommand(command)?.noUndo ?? null;
  const entry = done?.entry ?? null;
  return (
    <Stack>
      <p role="status">
        <Badge data-tone="success">
          <Trans>Done</Trans>
        </Badge>{" "}
        {entry === null ? null : <Trans>Audit entry {entry}</Trans>}
      </p>
      <Buttons>
        {entry === null || noUndo !== null ? null : (
          <Button
            tone="secondary"
            onClick={() =>
              change.send({ type: "undo.requested", ticket: newTicket(), reason: t`Taken back on the page` })
            }
          >
            <Trans>Undo</Trans>
          </Button>
        )}
        <Button tone="quiet" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </Buttons>
      <ForGood command={command} />
    </Stack>
  );
}

/** Why nothing takes back what a command does; nothing where that is possible. */
function ForGood({ command }: { command: string }) {
  const noUndo = useCommand(command)?.noUndo ?? null;
  return noUndo === null ? null : (
    <Note>
      <OfService text={noUndo} />
    </Note>
  );
}
