/** Where the account is logged in, and logging out there. Decision 27. */
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { Laptop, Smartphone } from "lucide";
import { useId } from "react";
import type { ActorRefFrom } from "xstate";
import { endedBy, sessionsMachine, type Session } from "../../../machines/sessions.ts";
import { useApp, useChart, useScreenActivated } from "../runtime/hooks.ts";
import { formatDay, formatMinute } from "../components/format.ts";
import { readForm } from "../components/forms.ts";
import { useBack } from "../components/link.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useWayBack } from "../ui/modal.ts";
import { Page } from "../ui/page.tsx";
import { Row, RowBody, RowButton, RowContent, Rows } from "../ui/rows.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Stack } from "../ui/stack.tsx";
import { Note } from "../ui/text.tsx";
import { ActionFoot } from "../components/action-foot.tsx";
import { AsyncContent } from "../components/async-content.tsx";
import { ConfirmingPassword } from "../components/confirming-password.tsx";
import { FormError } from "../components/form-error.tsx";
import { AccountName } from "../components/new-password-fields.tsx";

type SessionsRef = ActorRefFrom<typeof sessionsMachine>;

/** Browsers that have another name in Chinese. */
const browserNames: Readonly<Record<string, MessageDescriptor>> = {
  WeChat: msg`WeChat`,
  "Samsung Internet": msg`Samsung Internet`,
  "UC Browser": msg`UC Browser`,
  "QQ Browser": msg`QQ Browser`,
  "Huawei Browser": msg`Huawei Browser`,
  "Mi Browser": msg`Mi Browser`,
};

const desks: ReadonlySet<string> = new Set(["Windows", "Mac", "Linux", "ChromeOS"]);

/** What a session was opened with, in words. */
function useNameOf(): (session: Session) => string {
  const { t, i18n } = useLingui();
  return ({ browser: given, device }) => {
    const browserName = browserNames[given ?? ""];
    const browser = browserName ? i18n._(browserName) : given;
    if (browser !== null && device !== null) return t`${browser} on ${device}`;
    return browser ?? device ?? t`Unknown device`;
  };
}

export default function Sessions() {
  const sessions = useChart(sessionsMachine);
  useScreenActivated(sessions);
  const asking = useSelector(
    sessions,
    (snapshot) => snapshot.matches("confirming") || snapshot.matches("ending"),
  );
  return asking ? <Ending sessions={sessions} /> : <List sessions={sessions} />;
}

function List({ sessions }: { sessions: SessionsRef }) {
  const { t } = useLingui();
  const back = useBack({ to: "settings" });
  const listing = useSelector(sessions, (snapshot) => snapshot.matches("listing"));
  const list = useSelector(sessions, ({ context }) => context.sessions);
  const isAlone = endedBy(list, { sessionId: null }).length === 0;
  return (
    <Page
      large
      title={<Trans>Logged-in devices</Trans>}
      lead={<Trans>If you do not recognize one, tap it to log it out, then change your password.</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        listing && !isAlone ? (
          <Button
            tone="secondary"
            onClick={() => sessions.send({ type: "ending.requested", sessionId: null })}
          >
            <Trans>Log out elsewhere</Trans>
          </Button>
        ) : null
      }
    >
      <AsyncContent actor={sessions}>
        <Skeleton height="96px" />
        <Skeleton height="96px" />
      </AsyncContent>
      {listing ? (
        <Stack>
          <Rows style={{ ["--row-inset" as string]: "50px" }}>
            {list.map((session) => (
              <Row key={session.sessionId}>
                <SessionRow
                  session={session}
                  onTap={() => sessions.send({ type: "ending.requested", sessionId: session.sessionId })}
                />
              </Row>
            ))}
          </Rows>
          {isAlone ? (
            <Note>
              <Trans>You are logged in on this device only.</Trans>
            </Note>
          ) : null}
        </Stack>
      ) : null}
    </Page>
  );
}

function SessionRow({ session, onTap }: { session: Session; onTap: () => void }) {
  const { i18n } = useLingui();
  const { createdAt, usedAt, network, device, isCurrent } = session;
  const began = formatDay(createdAt, i18n.locale);
  const used = usedAt === null || isCurrent ? null : formatDay(usedAt, i18n.locale);
  const content = {
    icon: <Icon of={desks.has(device ?? "") ? Laptop : Smartphone} />,
    label: useNameOf()(session),
    note: (
      <>
        {network === null ? null : (
          <>
            <span translate="no">{network}</span>
            <br />
          </>
        )}
        <Trans>Logged in {began}</Trans>
        {used === null ? null : (
          <>
            <br />
            <Trans>Last used {used}</Trans>
          </>
        )}
      </>
    ),
  };
  return isCurrent ? (
    <RowBody
      {...content}
      end={
        <Badge data-tone="success">
          <Trans>This device</Trans>
        </Badge>
      }
    />
  ) : (
    <RowButton onClick={onTap}>
      <RowContent {...content} mark="chevron" />
    </RowButton>
  );
}

function Ending({ sessions }: { sessions: SessionsRef }) {
  const { t } = useLingui();
  const form = useId();
  const userName = useSelector(useApp().session, ({ context }) => context.userName);
  const formError = useSelector(sessions, ({ context }) => context.formError);
  const sessionId = useSelector(sessions, ({ context }) => context.ended.sessionId);
  const list = useSelector(sessions, ({ context }) => context.sessions);
  const ended = endedBy(list, { sessionId });
  const [only] = sessionId === null ? [] : ended;
  const dismiss = () => sessions.send({ type: "ending.dismissed" });
  // The phone's Back leads to the list, as the arrow does.
  useWayBack(dismiss, true);
  return (
    <Page
      large
      title={only ? <Trans>Log this device out?</Trans> : <Trans>Log out elsewhere?</Trans>}
      lead={
        only ? (
          <Trans>It will need your password to log in again.</Trans>
        ) : (
          <Trans>You stay logged in here, and are logged out everywhere else.</Trans>
        )
      }
      backLabel={t`Back`}
      onBack={dismiss}
      foot={
        <ActionFoot actor={sessions} form={form}>
          {only ? <Trans>Log it out</Trans> : <Trans>Log out elsewhere</Trans>}
        </ActionFoot>
      }
    >
      <form
        method="post"
        id={form}
        noValidate
        onSubmit={(event) => sessions.send({ type: "form.submitted", ...readForm(event, "password") })}
        onInput={() => sessions.send({ type: "form.edited" })}
      >
        <AccountName value={userName} />
        <Stack>
          {only ? <Particulars session={only} /> : null}
          <ConfirmingPassword formError={formError} />
          <FormError error={formError} />
        </Stack>
      </form>
    </Page>
  );
}

function Particulars({ session }: { session: Session }) {
  const { i18n } = useLingui();
  const { createdAt, usedAt, network } = session;
  return (
    <Rows>
      <Row>
        <RowBody reading label={<Trans>Device</Trans>} value={useNameOf()(session)} />
      </Row>
      {network === null ? null : (
        <Row>
          <RowBody reading label={<Trans>Network</Trans>} value={<span translate="no">{network}</span>} />
        </Row>
      )}
      <Row>
        <RowBody reading label={<Trans>Logged in</Trans>} value={formatMinute(createdAt, i18n.locale)} />
      </Row>
      {usedAt === null ? null : (
        <Row>
          <RowBody reading label={<Trans>Last used</Trans>} value={formatDay(usedAt, i18n.locale)} />
        </Row>
      )}
    </Rows>
  );
}
