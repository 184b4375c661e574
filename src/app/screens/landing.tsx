/** The landing page: the product, registration and login, and reasons to trust it. Specification, section 1. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { Download, Medal } from "lucide";
import { useState, type ReactNode } from "react";
import { styled } from "styled-components";
import { downloadMachine, type Device } from "../../../machines/download.ts";
import { languageOf } from "../../contract/languages.ts";
import { useApp, useAudience, useChart, useConfig } from "../runtime/hooks.ts";
import { latePart } from "../runtime/late-part.ts";
import { linkWith } from "../components/link.tsx";
import { Button, ButtonAnchor } from "../ui/button.tsx";
import { HintOverlay } from "../ui/hint-overlay.tsx";
import { Drawing } from "../ui/drawing.tsx";
import { Flame } from "../ui/flame.tsx";
import { Icon } from "../ui/icon.tsx";
import { useIdle } from "../ui/use-idle.ts";
import anywhere from "../pictures/feature-anywhere.svg?no-inline";
import fast from "../pictures/feature-fast.svg?no-inline";
import steady from "../pictures/feature-steady.svg?no-inline";
import scene from "../pictures/hero.svg?no-inline";
import { deviceKind, isBoxed } from "../ports/page.ts";
import { brands } from "../theme/brand.ts";
import { Benefits, Highlights, Section, Testimonials } from "../components/landing-cards.tsx";

const ButtonLink = linkWith(ButtonAnchor);

const Wrap = styled.div`
  display: flex;
  flex-direction: column;
  flex: 1 0 auto;

  /* Short Chinese lines break between clauses, not within words. */
  p:lang(zh) {
    word-break: var(--clauses);
  }
`;

const Main = styled.main`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 56px;
  padding-bottom: 56px;

  @media (min-width: 768px) {
    gap: 96px;
    padding-bottom: 96px;
  }
`;

/** Dark in both colour schemes: the picture's sky continues behind the text. */
const Hero = styled.section`
  --clauses: var(--by-clause);
  --sky: #141c33;
  --halo: #19223c;
  --card: transparent;
  --well: rgb(255 255 255 / 0.08);
  position: relative;
  overflow: hidden;
  background: var(--sky);
  color: var(--ink);

  @media (prefers-color-scheme: dark) {
    --sky: #0a0f1c;
    --halo: #0f1627;
  }
  @media (min-width: 768px) {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1.12fr);
    align-items: center;
    width: calc(100% - 2 * var(--gutter));
    max-width: 1120px;
    margin: 24px auto 0;
    border-radius: var(--radius-sheet);

    &::after {
      content: "";
      position: absolute;
      inset: 0;
      border: 1px solid var(--hairline);
      border-radius: inherit;
      pointer-events: none;
    }
  }
`;

const Opening = styled.div`
  position: relative;
  z-index: 1;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
  padding: 32px calc(var(--gutter) + var(--safe-right)) 0 calc(var(--gutter) + var(--safe-left));

  h1 {
    font-size: clamp(1.75rem, 10.2vw, 2.75rem);
    font-weight: 720;
    letter-spacing: -0.03em;
    line-height: 1.1;
    /* Balancing would break it at its hyphen. */
    text-wrap: wrap;
  }
  h1:lang(zh) {
    letter-spacing: 0;
    line-height: 1.25;
  }
  > p {
    max-width: 27em;
    color: var(--soft);
  }
  @media (min-width: 768px) {
    padding: 56px 0 56px 40px;

    > p {
      font-size: 1.0625rem;
    }

    h1 {
      font-size: clamp(2.625rem, 5.2vw, 4rem);
    }
  }
`;

const Standing = styled.div`
  display: flex;
  align-items: center;
  gap: 6px;
  color: var(--accent);
  font-size: var(--size-14);
  font-weight: 550;
  line-height: 1.4;

  .icon {
    flex: none;
    width: 1.25em;
    height: 1.25em;
  }
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 10px;
  margin-top: 8px;

  > a {
    flex: 1 1 auto;
    width: auto;
  }
  > [data-wide] {
    flex-basis: 100%;
  }
  @media (min-width: 768px) {
    > a {
      flex-grow: 0;
    }
  }
`;

const Aside = styled.div`
  color: var(--soft);
  font-size: var(--size-14);
  text-wrap: balance;
`;

/**
 * The picture, and the outermost glow of its window (262, 168; radius 214 of 390 × 300), which reaches above its
 * upper edge.
 */
const Scene = styled.div`
  position: relative;
  margin-top: -12px;

  &::before {
    content: "";
    position: absolute;
    left: 12.3077%;
    top: -15.3333%;
    width: 109.7436%;
    aspect-ratio: 1;
    border-radius: 50%;
    background: var(--halo);
  }
  span {
    display: block;
    position: relative;
  }
  span > * {
    width: 100%;
    height: auto;
  }
  @media (min-width: 768px) {
    align-self: end;
    margin: 0;

    span {
      -webkit-mask-image: linear-gradient(to right, transparent, #000 12%);
      mask-image: linear-gradient(to right, transparent, #000 12%);
    }
  }
`;

const Features = styled(Section)`
  --clauses: var(--by-clause);
  container-type: inline-size;
  display: grid;
  gap: 20px;

  h2 {
    font-size: var(--size-26);
    font-weight: 680;
    text-align: center;
  }
  ul {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 12px;
  }
  /* A very large text size: stacked. */
  @container (width < 16rem) {
    ul {
      grid-template-columns: minmax(0, 1fr);
      gap: 28px;
    }
  }
  li {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    align-content: start;
    text-align: center;
    gap: 2px;
    font-size: var(--size-14);
    line-height: 1.5;
    color: var(--soft);
  }
  img {
    width: 72px;
    height: 72px;
    margin-bottom: 8px;
  }
  h3 {
    font-size: var(--size-16);
    letter-spacing: 0;
    color: var(--ink);
  }
  @media (min-width: 768px) {
    gap: 32px;

    h2 {
      font-size: var(--size-34);
    }
    li {
      font-size: var(--size-16);
      padding-inline: 24px;
    }
    img {
      width: 96px;
      height: 96px;
    }
    h3 {
      font-size: var(--size-20);
    }
  }
`;

const Closing = styled.div`
  --clauses: var(--by-clause);
  --flame-size: 2.5rem;
  display: grid;
  justify-items: center;
  gap: 8px;
  padding: 36px 24px;
  border-radius: var(--radius-sheet);
  background: var(--accent-tint);
  text-align: center;

  h2 {
    margin-top: 8px;
    font-size: var(--size-26);
    font-weight: 680;
  }
  p {
    max-width: 26em;
    color: var(--soft);
    text-wrap: balance;
  }
  a {
    width: auto;
    min-width: min(100%, 240px);
    margin-top: 16px;
  }
`;

const Foot = styled.footer`
  margin-top: auto;
  padding: 20px calc(var(--gutter) + var(--safe-right)) calc(24px + var(--safe-bottom))
    calc(var(--gutter) + var(--safe-left));
  border-top: 1px solid var(--hairline);
  font-size: var(--size-14);
  color: var(--faint);

  > div {
    display: flex;
    flex-direction: column;
    align-items: center;
    gap: 4px;
    max-width: 1120px;
    margin-inline: auto;
  }
  ul {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0 8px;
  }
  a {
    display: inline-flex;
    align-items: center;
    min-height: var(--touch);
    padding-inline: 8px;
    color: var(--soft);
    text-decoration: none;
  }
  a:hover {
    text-decoration: underline;
  }
  @media (min-width: 768px) {
    > div {
      flex-direction: row-reverse;
      justify-content: space-between;
    }
  }
`;

export default function Landing() {
  const { visitor, member } = useAudience();
  return (
    <Wrap id="wrap">
      <Main>
        <Hero data-night>
          <Opening>
            <Standing>
              <Icon of={Medal} />
              <Trans>Top 3 in Tools · App Store Singapore</Trans>
            </Standing>
            <h1>
              <Trans>Never-offline VPN</Trans>
            </h1>
            <p>
              <Trans>
                Hotel Wi-Fi, a moving train, the far side of the world: one tap, and your way home stays lit.
              </Trans>
            </p>
            <Actions>
              {member ? (
                <>
                  <ButtonLink to="packages" data-tone="primary" data-only="member">
                    <Trans>Buy a membership</Trans>
                  </ButtonLink>
                  <ButtonLink to="account" data-tone="secondary" data-only="member">
                    <Trans>Personal center</Trans>
                  </ButtonLink>
                </>
              ) : null}
              {visitor ? (
                <>
                  <ButtonLink to="register" data-tone="primary" data-only="visitor">
                    <Trans>Create an account</Trans>
                  </ButtonLink>
                  <ButtonLink to="login" data-tone="secondary" data-only="visitor">
                    <Trans>Log in</Trans>
                  </ButtonLink>
                </>
              ) : null}
              <AppDownload />
            </Actions>
          </Opening>
          <Scene>
            <Drawing name="hero" src={scene} width={390} height={300} />
          </Scene>
        </Hero>

        <Features data-below="">
          <h2>
            <Trans>Fast connection</Trans>
          </h2>
          <ul>
            <Feature img={fast} title={<Trans>Fast</Trans>}>
              <Trans>Finds the quickest route</Trans>
            </Feature>
            <Feature img={steady} title={<Trans>Steady</Trans>}>
              <Trans>Reconnects by itself</Trans>
            </Feature>
            <Feature img={anywhere} title={<Trans>Anywhere</Trans>}>
              <Trans>At home, on the road, abroad</Trans>
            </Feature>
          </ul>
        </Features>

        <Highlights />
        <Benefits />
        <Testimonials />

        <Section data-below="">
          <Closing>
            <Flame still />
            <h2>
              <Trans>Leave the light on</Trans>
            </h2>
            <p>
              <Trans>For a month or for a year. It never renews unless you ask it to.</Trans>
            </p>
            <ButtonLink to="packages" data-tone="primary">
              <Trans>See the packages</Trans>
            </ButtonLink>
          </Closing>
        </Section>
      </Main>
      <Footer />
      <Reminder />
    </Wrap>
  );
}

const LandingReminder = latePart(() => import("../components/landing-reminder.tsx"));

/** Rendered when idle, because the prerendered page knows nothing of this browser's stored orders. */
function Reminder() {
  const { member } = useAudience();
  return useIdle() && member ? <LandingReminder /> : null;
}

/** Opens the provider's site in a window. */
const outward = { target: "_blank", rel: "noopener noreferrer" } as const;

/** Download buttons on a phone; elsewhere one line of text. Specification, section 1 ("Download buttons by device"). */
function AppDownload() {
  const all = useApp().prerender === "build";
  const device = deviceKind();
  return (
    <>
      {all || device === "android" ? <DownloadButton device="android" /> : null}
      {all || device === "ios" ? <DownloadButton device="ios" /> : null}
      {all || device === null ? (
        <Aside data-only="elsewhere">
          <Trans>The apps are for Android and iOS: open this page on your phone to download.</Trans>
        </Aside>
      ) : null}
    </>
  );
}

function DownloadButton({ device }: { device: Device }) {
  const { t } = useLingui();
  const [input] = useState(() => ({ boxed: isBoxed() }));
  const download = useChart(downloadMachine, { input });
  const hinting = useSelector(download, (snapshot) => snapshot.matches({ button: "hinting" }));
  const blocked = useSelector(download, ({ context }) => context.blocked);
  if (blocked !== null) {
    return (
      <ButtonAnchor data-tone="secondary" data-wide="" data-only={device} href={blocked} {...outward}>
        <Trans>The window did not open. Tap here to download.</Trans>
      </ButtonAnchor>
    );
  }
  return (
    <>
      <Button
        tone="secondary"
        data-wide=""
        data-only={device}
        icon={<Icon of={Download} />}
        onClick={() => download.send({ type: "download.requested", device })}
      >
        {device === "android" ? <Trans>Download for Android</Trans> : <Trans>Download for iOS</Trans>}
      </Button>
      <HintOverlay
        open={hinting}
        closeLabel={t`Close`}
        onClose={() => download.send({ type: "hint.dismissed" })}
      >
        <Trans>Tap the menu at the top right, then open this page in your browser to download.</Trans>
      </HintOverlay>
    </>
  );
}

function Feature({ img, title, children }: { img: string; title: ReactNode; children: ReactNode }) {
  return (
    <li>
      <img src={img} width={96} height={96} alt="" loading="lazy" decoding="async" />
      <h3>{title}</h3>
      <p>{children}</p>
    </li>
  );
}

const year = new Date().getFullYear();

function Footer() {
  const config = useConfig();
  const { i18n } = useLingui();
  const language = languageOf(i18n.locale);
  const { team } = brands[language];
  // No `href` until the configuration names the site. The path is in the page so that the server can fill it in.
  const onSite = (path: string) => ({
    "data-site": path,
    href: config === null ? undefined : config.providerSite + path,
  });
  return (
    <Foot>
      <div>
        <ul>
          {language === "en" ? (
            <>
              <li>
                <a {...outward} {...onSite("/terms")}>
                  <Trans>Terms & Conditions</Trans>
                </a>
              </li>
              <li>
                <a {...outward} {...onSite("/privacy")}>
                  <Trans>Privacy Policy</Trans>
                </a>
              </li>
            </>
          ) : null}
          <li>
            <a {...outward} {...onSite("/contact")}>
              <Trans>Contact Us</Trans>
            </a>
          </li>
        </ul>
        <p data-filled="year">{`© ${year} ${team}`}</p>
      </div>
    </Foot>
  );
}
