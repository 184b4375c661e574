/** The shell around every view: progress bar, the landing page's top bar, cached views and messages. Specification, section 2 ("Shell"). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { FlaskConical, WifiOff } from "lucide";
import { useEffect, useMemo, useState } from "react";
import { connectionMachine } from "../../../machines/connection.ts";
import { useApp, useAppSelector, useChart, useConfig, useWords } from "../runtime/hooks.ts";
import { Banner } from "../ui/banner.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Flame } from "../ui/flame.tsx";
import { Icon } from "../ui/icon.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { OverlayContext } from "../ui/overlay-context.ts";
import { ProgressBar } from "../ui/progress-bar.tsx";
import { useIdle } from "../ui/use-idle.ts";
import { isOnline, onNetwork } from "../ports/page.ts";
import { KeptViews } from "./kept-views.tsx";

export function Shell() {
  const { overlayContext } = useApp();
  return (
    <OverlayContext value={overlayContext}>
      <Progress />
      <NoNetwork />
      <SandboxBanner />
      <KeptViews />
      <Messages />
      <FlameWarmup />
    </OverlayContext>
  );
}

function Progress() {
  const { navigationActor } = useApp();
  const value = useAppSelector(navigationActor, ({ context }) => context.progress);
  const visible = useAppSelector(navigationActor, (snapshot) => !snapshot.matches({ bar: "idle" }));
  return <ProgressBar value={value} visible={visible} />;
}

/** Says what is unavailable offline; the rest of the app works. */
function NoNetwork() {
  const { t } = useLingui();
  const { prerender } = useApp();
  // A prerendered page assumes a network until hydration.
  const [input] = useState(() => ({ online: prerender !== null || isOnline() }));
  const connection = useChart(connectionMachine, { input });
  const offline = useSelector(connection, (snapshot) => snapshot.matches("offline"));
  useEffect(
    () =>
      onNetwork(
        () => connection.send({ type: "network.lost" }),
        () => connection.send({ type: "network.found" }),
      ),
    [connection],
  );
  return (
    <div role="status">
      {offline ? (
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
  const { prerender } = useApp();
  return config?.sandbox === true || prerender === "build" ? (
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

/** Renders a busy button's flame ahead of time, so that its styles are not computed during a tap. */
function FlameWarmup() {
  return useIdle() ? (
    <div hidden>
      <Flame />
    </div>
  ) : null;
}

/** The current toast, notification and dialog. */
function Messages() {
  const { notifications } = useApp();
  const { t } = useLingui();
  const word = useWords();
  const { toast, notify, dialog } = useAppSelector(notifications, ({ context }) => context);
  // Keeps the text during the dialog's leave animation.
  const [question, setQuestion] = useState(dialog);
  if (dialog !== null && dialog !== question) setQuestion(dialog);
  // The same object for the same toast: a new one would show it again.
  const message = useMemo(() => toast && { ...toast, text: word(toast.words) }, [toast, word]);
  return (
    <>
      <Toasts toast={message} notify={notify && word(notify.words)} />
      <Dialog
        open={dialog !== null}
        tone={question?.tone}
        title={question ? word(question.title) : t`Question`}
        confirmLabel={question ? word(question.confirm) : t`OK`}
        cancelLabel={question ? word(question.cancel) : t`Cancel`}
        onConfirm={() => notifications.send({ type: "dialog.confirmed" })}
        onCancel={() => notifications.send({ type: "dialog.cancelled" })}
      >
        {question ? word(question.text) : null}
      </Dialog>
    </>
  );
}
