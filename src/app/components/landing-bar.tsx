/** The landing page's top bar: logo, language, login or account, and pull-to-refresh. Specification, section 2 ("Top bar"). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { CircleUserRound, Globe, LogIn } from "lucide";
import { useCallback, useRef, type PointerEvent, type ReactNode } from "react";
import { styled } from "styled-components";
import type { ActorRefFrom } from "xstate";
import { pullMachine } from "../../../machines/pull.ts";
import { languageOf, languages } from "../../contract/languages.ts";
import { sheetMachine } from "../../../machines/sheet.ts";
import { useAudience, useChart } from "../runtime/hooks.ts";
import { linkWith } from "./link.tsx";
import { IconAnchor, IconButton } from "../ui/button.tsx";
import { Drawing } from "../ui/drawing.tsx";
import { Icon } from "../ui/icon.tsx";
import { PullHead } from "../ui/pull-head.tsx";
import { isOnline } from "../ports/page.ts";
import { RowButton, RowContent, Row, Rows } from "../ui/rows.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { TopBar, TopBarAnchor, TopBarName } from "../ui/top-bar.tsx";
import { brands } from "../theme/brand.ts";

const IconLink = linkWith(IconAnchor);
const TopBarLink = linkWith(TopBarAnchor);

/** Each language in its own language. */
const names = { "zh-CN": "简体中文", en: "English" } as const;

/** The bar takes the whole gesture, so that the page below does not scroll. */
const Bar = styled(TopBar)`
  touch-action: pan-x pinch-zoom;
`;

export function LandingBar() {
  const { t, i18n } = useLingui();
  const sheet = useChart(sheetMachine);
  const { visitor, member, userName } = useAudience();
  const { pull, gesture } = usePull();
  const language = languageOf(i18n.locale);
  return (
    <>
      <Bar
        {...gesture}
        logo={<Drawing {...brands[language].logo} />}
        logoLabel={t`Back to the top`}
        onLogo={() => window.scrollTo({ top: 0, behavior: "smooth" })}
      >
        <IconButton label={t`Change language`} onClick={() => sheet.send({ type: "sheet.requested" })}>
          <Icon of={Globe} />
        </IconButton>
        {visitor ? (
          <IconLink to="login" aria-label={t`Log in`} data-only="visitor">
            <Icon of={LogIn} />
          </IconLink>
        ) : null}
        {member ? (
          <TopBarLink to="account" data-only="member">
            <Icon of={CircleUserRound} />
            <TopBarName translate="no" data-filled="name">
              {userName}
            </TopBarName>
          </TopBarLink>
        ) : null}
      </Bar>
      <RefreshHead pull={pull} />
      <LanguageSheet sheet={sheet}>
        <Rows data-bare="">
          {[...languages].reverse().map((value) => (
            <Row key={value}>
              <RowButton
                lang={value}
                aria-pressed={value === language}
                onClick={() => sheet.send({ type: "row.chosen", value })}
              >
                <RowContent label={names[value]} mark={value === language ? "check" : "none"} />
              </RowButton>
            </Row>
          ))}
        </Rows>
      </LanguageSheet>
    </>
  );
}

/** A component of its own, so that opening the sheet rerenders nothing else. */
function LanguageSheet({
  sheet,
  children,
}: {
  sheet: ActorRefFrom<typeof sheetMachine>;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const open = useSelector(sheet, (snapshot) => snapshot.matches("open"));
  return (
    <Sheet
      open={open}
      title={<Trans>Language</Trans>}
      closeLabel={t`Close`}
      onClose={() => sheet.send({ type: "sheet.dismissed" })}
    >
      {children}
    </Sheet>
  );
}

/** Sends pointer events to the pull-to-refresh chart. */
function usePull() {
  const pull = useChart(pullMachine);
  const start = useRef({ x: 0, y: 0 });
  const over = (type: "touch.ended" | "touch.lost") => (event: PointerEvent) => {
    if (event.isPrimary) pull.send({ type, online: isOnline() });
  };
  return {
    pull,
    gesture: {
      onPointerDown: (event: PointerEvent) => {
        if (!event.isPrimary || event.button !== 0) return;
        start.current = { x: event.clientX, y: event.clientY };
        pull.send({ type: "touch.began", atTop: window.scrollY <= 0 });
      },
      onPointerMove: (event: PointerEvent) => {
        if (!event.isPrimary || event.buttons !== 1) return;
        pull.send({
          type: "touch.moved",
          down: event.clientY - start.current.y,
          across: event.clientX - start.current.x,
        });
        // Not earlier: a captured pointer would take the clicks from the buttons.
        if (pull.getSnapshot().hasTag("following")) event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerUp: over("touch.ended"),
      onPointerCancel: over("touch.lost"),
    },
  };
}

/** A component of its own, so that pulling rerenders nothing else; it rerenders once per phase, not per pixel. */
function RefreshHead({ pull }: { pull: ActorRefFrom<typeof pullMachine> }) {
  const phase = useSelector(pull, ({ value }) => (typeof value === "string" ? value : "normal"));
  const watch = useCallback(
    (place: (distance: number) => void) => {
      place(pull.getSnapshot().context.distance);
      const following = pull.subscribe(({ context }) => place(context.distance));
      return () => following.unsubscribe();
    },
    [pull],
  );
  const words = {
    pulling: <Trans>Pull to refresh</Trans>,
    loosing: <Trans>Let go to refresh</Trans>,
    loading: <Trans>Refreshing…</Trans>,
    success: <Trans>Up to date</Trans>,
    offline: <Trans>No connection. Check your network and try again.</Trans>,
  };
  return <PullHead phase={phase} watch={watch} words={words} />;
}
