/** What is around every screen: the search, the navigation, who is signed in; and the login page, for those who are not. */
import { Trans, useLingui } from "@lingui/react/macro";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import {
  BookOpen,
  CircleDollarSign,
  History,
  LayoutDashboard,
  Receipt,
  Send,
  Tag,
  type IconNode,
} from "lucide";
import { useEffect, useRef, type ReactNode } from "react";
import { Button } from "../app/ui/button.tsx";
import { Flame } from "../app/ui/flame.tsx";
import { focusHeading } from "../app/ui/focus.ts";
import { Icon } from "../app/ui/icon.tsx";
import { Stack } from "../app/ui/stack.tsx";
import { Note } from "../app/ui/text.tsx";
import { brands } from "../app/theme/brand.ts";
import type { Language } from "../contract/languages.ts";
import { hasPasskeys, setLanguage } from "./ports/browser.ts";
import { Brand, Buttons, Code, Frame, Head, Main, Nav, Who } from "./parts/layout.tsx";
import { ErrorWords } from "./parts/reading.tsx";
import { useConsole } from "./runtime.tsx";
import styled from "styled-components";

const SearchBox = styled.input`
  width: 100%;
  min-height: 44px;
  padding: 8px 16px;
  border: 1px solid var(--edge);
  border-radius: 999px;
  background: var(--card);
  font-size: max(16px, var(--size-16));
`;

const LoginPage = styled(Main)`
  max-width: 480px;
  min-height: 100dvh;
  margin: auto;
  justify-content: center;
`;

function Logo() {
  const { i18n } = useLingui();
  const { logo, name } = brands[i18n.locale as Language];
  return <img src={logo.src} width={logo.width} height={logo.height} alt={name} />;
}

const other = (locale: string): Language => (locale === "en" ? "zh-CN" : "en");

function LanguageButton() {
  const { i18n } = useLingui();
  const next = other(i18n.locale);
  return (
    <Button tone="text" lang={next} onClick={() => void setLanguage(next)}>
      {next === "en" ? "English" : "中文"}
    </Button>
  );
}

/** A link to one of the screens. It is the current one on its own address alone. */
function NavLink({
  to,
  icon,
  children,
}: {
  to: "/" | "/orders" | "/unmatched" | "/events" | "/packages" | "/audit" | "/books";
  icon: IconNode;
  children: ReactNode;
}) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Link to={to} activeProps={{}} aria-current={path === to ? "page" : undefined}>
      <Icon of={icon} />
      <span>{children}</span>
    </Link>
  );
}

function Search() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const text = useRouterState({ select: ({ location }) => (location.search as { q?: string }).q ?? "" });
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const q = new FormData(event.currentTarget).get("q");
        if (typeof q === "string" && q.trim() !== "") void navigate({ to: "/find", search: { q: q.trim() } });
      }}
    >
      <SearchBox
        key={text}
        name="q"
        type="search"
        defaultValue={text}
        aria-label={t`Search`}
        placeholder={t`Number, name, address or transaction`}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </form>
  );
}

/** The focus goes to a new screen's heading: the link that led there is gone. */
function useHeadingFocus(): void {
  const place = useRouterState({
    select: ({ resolvedLocation: at }) =>
      at ? `${at.pathname} ${(at.search as { q?: string }).q ?? ""}` : null,
  });
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (place === null || place === seen.current) return;
    if (seen.current !== null) focusHeading();
    seen.current = place;
  }, [place]);
}

/** The page of the signed-in operator. */
function SignedInPage() {
  const { t } = useLingui();
  useHeadingFocus();
  const { session } = useConsole();
  const operator = useSelector(session, ({ context }) => context.operator);
  const error = useSelector(session, ({ context }) => context.error);
  const hasNewPasskey = useSelector(session, ({ context }) => context.hasNewPasskey);
  const isAdding = useSelector(session, (state) => state.matches({ signedIn: "addingPasskey" }));
  const isLeaving = useSelector(session, (state) => state.matches("leaving"));
  return (
    <Frame>
      <Head>
        <Brand>
          <Logo />
        </Brand>
        <Search />
        <Who>
          <span translate="no">{operator?.name}</span>
          <LanguageButton />
          {hasPasskeys() && !hasNewPasskey ? (
            <Button tone="text" busy={isAdding} onClick={() => session.send({ type: "passkey.requested" })}>
              <Trans>Add a passkey</Trans>
            </Button>
          ) : null}
          <Button tone="text" busy={isLeaving} onClick={() => session.send({ type: "logout.requested" })}>
            <Trans>Log out</Trans>
          </Button>
        </Who>
        <ErrorWords error={error} />
        {hasNewPasskey ? (
          <Note role="status">
            <Trans>This device can let you in from now on.</Trans>
          </Note>
        ) : null}
      </Head>
      <Nav aria-label={t`Pages`}>
        <NavLink to="/" icon={LayoutDashboard}>
          <Trans>Today</Trans>
        </NavLink>
        <NavLink to="/orders" icon={Receipt}>
          <Trans>Orders</Trans>
        </NavLink>
        <NavLink to="/unmatched" icon={CircleDollarSign}>
          <Trans>Unsettled</Trans>
        </NavLink>
        <NavLink to="/events" icon={Send}>
          <Trans>Events</Trans>
        </NavLink>
        <NavLink to="/packages" icon={Tag}>
          <Trans>Packages</Trans>
        </NavLink>
        <NavLink to="/audit" icon={History}>
          <Trans>Audit</Trans>
        </NavLink>
        <NavLink to="/books" icon={BookOpen}>
          <Trans>Books</Trans>
        </NavLink>
      </Nav>
      <Main>
        <Outlet />
      </Main>
    </Frame>
  );
}

export function Shell() {
  const { session } = useConsole();
  const isSignedIn = useSelector(session, (state) => state.matches("signedIn") || state.matches("leaving"));
  const isSignedOut = useSelector(session, (state) => state.matches("signedOut"));
  const isLost = useSelector(session, (state) => state.matches("unreachable"));
  const why = useSelector(session, ({ context }) => context.why);
  if (isSignedIn) return <SignedInPage />;
  return (
    <LoginPage aria-busy={!isSignedOut && !isLost}>
      <Logo />
      {isSignedOut ? (
        <Stack>
          <h1>
            <Trans>You are not in</Trans>
          </h1>
          {why === "link" ? (
            <Note role="alert" data-tone="failure">
              <Trans>This link has been used, or is older than two minutes.</Trans>
            </Note>
          ) : null}
          {why === "tooMany" ? (
            <Note role="alert" data-tone="failure">
              <Trans>Too many wrong tries. Wait a minute, then try again.</Trans>
            </Note>
          ) : null}
          {why === "ended" ? (
            <Note role="alert">
              <Trans>Your session is over.</Trans>
            </Note>
          ) : null}
          {why === "passkey" ? (
            <Note role="alert" data-tone="failure">
              <Trans>This passkey does not open the page.</Trans>
            </Note>
          ) : null}
          {hasPasskeys() ? (
            <Buttons>
              <Button onClick={() => session.send({ type: "passkey.used" })}>
                <Trans>Log in with a passkey</Trans>
              </Button>
            </Buttons>
          ) : null}
          <p>
            <Trans>On the machine of the service, this prints a link that lets you in once:</Trans>
          </p>
          <p>
            <Code translate="no">npm run admin -- console</Code>
          </p>
        </Stack>
      ) : isLost ? (
        <Stack>
          <h1>
            <Trans>The service did not answer</Trans>
          </h1>
          <Buttons>
            <Button onClick={() => session.send({ type: "retry" })}>
              <Trans>Try again</Trans>
            </Button>
          </Buttons>
        </Stack>
      ) : (
        <Flame />
      )}
      <Buttons>
        <LanguageButton />
      </Buttons>
    </LoginPage>
  );
}
