/** What stands around every view: the bar of progress, the top bar on the landing page, the kept views, and all that is said over them. Specification, section 2 ("Shell"). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { FlaskConical, WifiOff } from "lucide";
import { useEffect, useMemo, useState } from "react";
import { connectionMachine } from "../../../machines/connection.ts";
import { useApp, useChart, useConfig, useWords } from "../app.ts";
import { Banner } from "../parts/banner.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Flame } from "../parts/flame.tsx";
import { Icon } from "../parts/icon.tsx";
import { Notices } from "../parts/notices.tsx";
import { OverContext } from "../parts/over.ts";
import { ProgressBar } from "../parts/progress-bar.tsx";
import { useRested } from "../parts/rested.ts";
import { isOnline, onNetwork } from "../ports/page.ts";
import { KeptViews } from "./kept-views.tsx";

export function Shell() {
  const { over } = useApp();
  return (
    <OverContext value={over}>
      <Progress />
      <NoNetwork />
      <SandboxBanner />
      <KeptViews />
      <Said />
      <Ahead />
    </OverContext>
  );
}

function Progress() {
  const { progress } = useApp();
  const value = useSelector(progress, ({ context }) => context.value);
  const visible = useSelector(progress, (snapshot) => !snapshot.matches({ bar: "idle" }));
  return <ProgressBar value={value} visible={visible} />;
}

/** What the app cannot do without a network; the rest of it goes on. */
function NoNetwork() {
  const { t } = useLingui();
  const { page, travel } = useApp();
  // A page that was written ahead was written with a network.
  const [input] = useState(() => ({ online: page !== null || isOnline() }));
  const connection = useChart(connectionMachine, { input });
  const cut = useSelector(connection, (snapshot) => snapshot.matches("cut"));
  useEffect(
    () =>
      onNetwork(
        () => connection.send({ type: "network.lost" }),
        () => {
          connection.send({ type: "network.found" });
          travel.send({ type: "network.found" });
        },
      ),
    [connection, travel],
  );
  return (
    <div role="status">
      {cut ? (
        <Banner label={t`Network`} icon={<Icon of={WifiOff} />}>
          <Trans>
            You are offline. You can look around, but packages, payments and your account need a connection.
          </Trans>
        </Banner>
      ) : null}
    </div>
  );
}

function SandboxBanner() {
  const { t, i18n } = useLingui();
  const config = useConfig();
  const { page } = useApp();
  return config?.sandbox === true || page === "ahead" ? (
    <Banner data-only="sandbox" label={t`Sandbox`} icon={<Icon of={FlaskConical} />}>
      <Trans>Sandbox: no real money moves.</Trans>{" "}
      <a
        href={`${config?.apiBaseUrl ?? ""}/sandbox/wallet?language=${i18n.locale}`}
        target="_blank"
        rel="noreferrer"
      >
        <Trans>Open the test wallet</Trans>
      </a>
    </Banner>
  ) : null;
}

/** What breathes in a button while its tap is answered: drawn now, for its styles would be worked out in that tap. */
function Ahead() {
  return useRested() ? (
    <div hidden>
      <Flame />
    </div>
  ) : null;
}

/** The toast, the notification and the question of the moment. */
function Said() {
  const { notice } = useApp();
  const { t } = useLingui();
  const word = useWords();
  const { toast, notify, dialog } = useSelector(notice, ({ context }) => context);
  // A question that leaves keeps its words until it has gone.
  const [asked, setAsked] = useState(dialog);
  if (dialog !== null && dialog !== asked) setAsked(dialog);
  // One object for one toast: a new one would raise it again.
  const said = useMemo(() => toast && { text: word(toast.words), tone: toast.tone }, [toast, word]);
  return (
    <>
      <Notices toast={said} notify={notify && word(notify.words)} />
      <Dialog
        open={dialog !== null}
        tone={asked?.tone}
        title={asked ? word(asked.title) : t`Question`}
        confirmLabel={asked ? word(asked.confirm) : t`OK`}
        cancelLabel={asked ? word(asked.cancel) : t`Cancel`}
        onConfirm={() => notice.send({ type: "dialog.confirmed" })}
        onCancel={() => notice.send({ type: "dialog.cancelled" })}
      >
        {asked ? word(asked.text) : null}
      </Dialog>
    </>
  );
}
