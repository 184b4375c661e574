/** The book of a month, as a CSV file and held against chains and providers; and the backup of all data. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useState } from "react";
import styled from "styled-components";
import type { BackupStory } from "../../contract/console.ts";
import { Badge } from "../../app/ui/badge.tsx";
import { Button } from "../../app/ui/button.tsx";
import { Card } from "../../app/ui/card.tsx";
import { Field } from "../../app/ui/field.tsx";
import { Stack } from "../../app/ui/stack.tsx";
import { Heading, Note } from "../../app/ui/text.tsx";
import { shownNumber, shownPercent, shownSize, shownTime } from "../parts/format.ts";
import { Buttons, Code, Facts } from "../parts/layout.tsx";
import { useNames } from "../parts/names.ts";
import { ErrorWords, ReadingView } from "../parts/reading.tsx";
import { useConsole, useReading, type DownloadRef } from "../runtime.tsx";
import { commandWords } from "../words.ts";

const Bar = styled.progress`
  width: 100%;
  height: 8px;
  accent-color: var(--lamp);
`;

export function BooksScreen() {
  return (
    <>
      <h1>
        <Trans>Books</Trans>
      </h1>
      <Month />
      <Backup />
    </>
  );
}

function Month() {
  const { t } = useLingui();
  const download = useConsole().downloads.books;
  const wanted = useSelector(download, ({ context }) => context.wanted.command);
  const isBusy = useSelector(download, (state) => state.hasTag("busy"));
  const error = useSelector(download, ({ context }) => context.error);
  const [month, setMonth] = useState("");
  const save = (command: string) =>
    download.send({ type: "file.requested", wanted: { command, args: [month.trim()] } });
  const cannot = month.trim() === "" || isBusy;
  return (
    <Card>
      <Stack>
        <Field
          label={<Trans>Month</Trans>}
          placeholder="2026-11"
          autoComplete="off"
          value={month}
          aria-label={t`Month`}
          onChange={(event) => setMonth(event.currentTarget.value)}
        />
        <Note>
          <Trans>
            The book has a line for each movement of money. The reconciliation says where the money of the
            month stands, and whether the book agrees with what was read of chains and providers.
          </Trans>
        </Note>
        <ErrorWords error={error} />
        <Buttons>
          <Button busy={isBusy && wanted === "export"} disabled={cannot} onClick={() => save("export")}>
            <Trans>Save the book</Trans>
          </Button>
          <Button
            tone="secondary"
            busy={isBusy && wanted === "reconcile"}
            disabled={cannot}
            onClick={() => save("reconcile")}
          >
            <Trans>Save the reconciliation</Trans>
          </Button>
        </Buttons>
      </Stack>
    </Card>
  );
}

function Backup() {
  const { ref, items } = useReading<BackupStory>({ call: "backups" });
  const [story] = items;
  return (
    <Card aria-labelledby="backup">
      <Stack>
        <Heading id="backup">
          <Trans>Backup</Trans>
        </Heading>
        <ReadingView of={ref}>{story ? <BackupView story={story} /> : null}</ReadingView>
      </Stack>
    </Card>
  );
}

function BackupView({ story: { last, isOld, oldAfter, database, actions } }: { story: BackupStory }) {
  const { i18n } = useLingui();
  return (
    <>
      <Facts data-wide="">
        <dt>
          <Trans>Last backup</Trans>
        </dt>
        <dd>
          {last === null ? <Trans>None yet</Trans> : shownTime(last.at, i18n.locale)}{" "}
          {isOld ? (
            <Badge data-tone="failure">
              <Trans>Old</Trans>
            </Badge>
          ) : null}
        </dd>
        {last === null ? null : (
          <>
            <dt>
              <Trans>Size</Trans>
            </dt>
            <dd>{shownSize(last.bytes, i18n.locale)}</dd>
            <dt>
              <Trans>Made by</Trans>
            </dt>
            <dd translate="no">{last.by}</dd>
            <dt>
              <Trans>Where it is</Trans>
            </dt>
            <dd>
              {last.to === null ? (
                <Trans>With the one who saved it here</Trans>
              ) : (
                <Code translate="no">{last.to}</Code>
              )}
            </dd>
          </>
        )}
        <dt>
          <Trans>Alarm</Trans>
        </dt>
        <dd>
          {oldAfter > 0 ? (
            <Trans>when it is older than {shownNumber(oldAfter, i18n.locale)} hours</Trans>
          ) : (
            <Trans>
              none: <Code translate="no">BACKUP_ALARM_HOURS</Code> is not set
            </Trans>
          )}
        </dd>
      </Facts>
      <Note>
        <Trans>
          A backup holds all data of one moment: accounts with the hashes of their passwords, orders and
          payments. Keep the file where no one else can read it, and not on the machine of the service.
        </Trans>
      </Note>
      <Note>
        {database === "embedded" ? (
          <Trans>
            While it is being made, the shop answers nothing: for seconds, or for minutes where there are very
            many members.
          </Trans>
        ) : (
          <Trans>
            The database is a PostgreSQL server. Its own means, such as pg_dump or the snapshots of your
            provider, are as good, and quicker for a large shop; what they keep is not shown here.
          </Trans>
        )}
      </Note>
      {actions.includes("backup") ? (
        <BackupDownload />
      ) : (
        <Note>
          <Trans>Only operators with the right money can save one.</Trans>
        </Note>
      )}
      <Note>
        <Trans>
          It is put back on the machine, into an empty database:{" "}
          <Code translate="no">npm run admin -- restore &lt;file&gt; --reason &quot;…&quot;</Code>
        </Trans>
      </Note>
    </>
  );
}

function BackupDownload() {
  const name = useNames();
  const download = useConsole().downloads.backup;
  const isLoading = useSelector(download, (state) => state.matches("loading"));
  const isBusy = useSelector(download, (state) => state.hasTag("busy"));
  const isSaved = useSelector(download, (state) => state.hasTag("saved"));
  const isUnconfirmed = useSelector(download, (state) => state.matches("unconfirmed"));
  const error = useSelector(download, ({ context }) => context.error);
  return (
    <Stack>
      <ErrorWords error={error} />
      {isLoading ? <Progress of={download} /> : null}
      {isSaved ? (
        <Note role="status">
          {isUnconfirmed ? (
            <Trans>The file is saved, but the service has not noted it yet.</Trans>
          ) : (
            <Trans>Saved. See that the file is among your downloads.</Trans>
          )}
        </Note>
      ) : null}
      <Buttons>
        {isUnconfirmed ? (
          <Button onClick={() => download.send({ type: "retry" })}>
            <Trans>Note it now</Trans>
          </Button>
        ) : null}
        <Button
          tone={isUnconfirmed ? "secondary" : "primary"}
          busy={isBusy}
          onClick={() => download.send({ type: "file.requested", wanted: { command: "backup", args: [] } })}
        >
          {name(commandWords, "backup")}
        </Button>
        {isLoading ? (
          <Button tone="quiet" onClick={() => download.send({ type: "cancel" })}>
            <Trans>Stop</Trans>
          </Button>
        ) : null}
      </Buttons>
    </Stack>
  );
}

function Progress({ of: download }: { of: DownloadRef }) {
  const { t, i18n } = useLingui();
  const progress = useSelector(download, ({ context }) => context.progress);
  const isComing = progress !== null && "of" in progress;
  const part = isComing ? progress.bytes / Math.max(1, progress.of) : null;
  return (
    <div>
      <Bar aria-label={t`Progress`} {...(part === null ? {} : { value: part })} />
      <Note>
        {isComing ? (
          <Trans>
            On its way: {shownPercent(part ?? 0, i18n.locale)} of {shownSize(progress.of, i18n.locale)}
          </Trans>
        ) : (
          <Trans>
            Being made: {shownNumber(progress === null ? 0 : progress.rows, i18n.locale)} rows so far
          </Trans>
        )}
      </Note>
    </div>
  );
}
