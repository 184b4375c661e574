/** The landing page's three rows of cards: features, use cases and reviews. Specification, section 1. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { styled } from "styled-components";
import { Rail, RailItem } from "../ui/rail.tsx";
import freedom from "../pictures/benefit-freedom.svg?no-inline";
import noLogs from "../pictures/benefit-no-logs.svg?no-inline";
import hidden from "../pictures/benefit-private.svg?no-inline";
import wifi from "../pictures/benefit-wifi.svg?no-inline";
import alwaysOn from "../pictures/highlight-always-on.svg?no-inline";
import everyDevice from "../pictures/highlight-every-device.svg?no-inline";
import light from "../pictures/highlight-light.svg?no-inline";
import oneTap from "../pictures/highlight-one-tap.svg?no-inline";
import designer from "../pictures/portrait-1.svg?no-inline";
import engineer from "../pictures/portrait-2.svg?no-inline";
import teacher from "../pictures/portrait-3.svg?no-inline";
import five from "../pictures/rating-5.svg?no-inline";
import fourAndAHalf from "../pictures/rating-45.svg?no-inline";

/** A section as wide as the page allows. */
export const Section = styled.section`
  width: 100%;
  max-width: calc(1120px + 2 * var(--gutter));
  margin-inline: auto;
  padding-inline: calc(var(--gutter) + var(--safe-left)) calc(var(--gutter) + var(--safe-right));
`;

const Head = styled.header`
  display: grid;
  gap: 6px;
  margin-bottom: 20px;

  h2 {
    font-size: var(--size-26);
    font-weight: 680;
  }
  p {
    max-width: 34em;
    color: var(--soft);
  }
  @media (min-width: 768px) {
    margin-bottom: 28px;

    h2 {
      font-size: var(--size-34);
    }
  }
`;

/** Scrolls sideways on a phone; a grid where there is room. */
const Cards = styled(Rail)`
  @media (min-width: 768px) {
    && {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(max(236px, 30%), 1fr));
      gap: 20px;
      margin: 0;
      padding: 0;
      overflow: visible;
    }
    && > li {
      width: auto;
    }
    &&[data-count="4"] {
      grid-template-columns: 1fr 1fr;
    }
  }
  @media (min-width: 1040px) {
    &&[data-count="4"] {
      grid-template-columns: repeat(4, 1fr);
    }
  }
`;

const Item = styled(RailItem)`
  display: flex;
`;

const Surface = styled.article`
  display: flex;
  flex-direction: column;
  width: 100%;
  border: 1px solid var(--hairline);
  border-radius: var(--radius-card);
  background: var(--card);
  overflow: hidden;
`;

const Picture = styled.img`
  width: 100%;
  height: auto;
  aspect-ratio: 240 / 150;
  object-fit: cover;
  background: var(--well);
`;

const Words = styled.div`
  display: grid;
  align-content: start;
  gap: 6px;
  padding: 16px 20px 22px;

  h3 {
    font-size: 1.0625rem;
    letter-spacing: -0.005em;
  }
  p {
    color: var(--soft);
    font-size: 0.9375rem;
  }
`;

function Row({
  title,
  label,
  lead,
  count,
  children,
}: {
  title: ReactNode;
  label: string;
  lead: ReactNode;
  count: number;
  children: ReactNode;
}) {
  return (
    <Section data-below="">
      <Head>
        <h2>{title}</h2>
        <p>{lead}</p>
      </Head>
      <Cards label={label} data-count={count}>
        {children}
      </Cards>
    </Section>
  );
}

function PictureCard({ img, title, desc }: { img: string; title: ReactNode; desc: ReactNode }) {
  return (
    <Item>
      <Surface>
        <Picture src={img} width={240} height={150} alt="" loading="lazy" decoding="async" />
        <Words>
          <h3>{title}</h3>
          <p>{desc}</p>
        </Words>
      </Surface>
    </Item>
  );
}

export function Highlights() {
  const { t } = useLingui();
  return (
    <Row
      title={<Trans>Product highlights</Trans>}
      label={t`Product highlights`}
      lead={<Trans>Switch it on, and forget about it.</Trans>}
      count={4}
    >
      <PictureCard
        img={alwaysOn}
        title={<Trans>Lit day and night</Trans>}
        desc={
          <Trans>
            Out of the lift, into the metro, from Wi-Fi to mobile data: when the network changes, the
            connection picks itself up.
          </Trans>
        }
      />
      <PictureCard
        img={oneTap}
        title={<Trans>One tap, that’s all</Trans>}
        desc={
          <Trans>No list of servers to study, no protocol to choose. Tap once, and the light is on.</Trans>
        }
      />
      <PictureCard
        img={everyDevice}
        title={<Trans>It follows you, not the phone</Trans>}
        desc={<Trans>New phone? Log in with the same name, and every day you paid for is there.</Trans>}
      />
      <PictureCard
        img={light}
        title={<Trans>Light on the battery</Trans>}
        desc={
          <Trans>
            It works when there’s traffic to carry and rests when there isn’t, so you can leave it on all day.
          </Trans>
        }
      />
    </Row>
  );
}

export function Benefits() {
  const { t } = useLingui();
  return (
    <Row
      title={<Trans>VPN Benefits and Advantages</Trans>}
      label={t`VPN Benefits and Advantages`}
      lead={<Trans>What it does for your privacy and security, and where it stops.</Trans>}
      count={4}
    >
      <PictureCard
        img={hidden}
        title={<Trans>Draw the curtains</Trans>}
        desc={
          <Trans>
            Websites see our server’s address instead of yours. The ones you log in to still know you: it is a
            curtain, not a cloak.
          </Trans>
        }
      />
      <PictureCard
        img={wifi}
        title={<Trans>Safe on other people’s Wi-Fi</Trans>}
        desc={
          <Trans>
            Everything between your phone and our server is encrypted. The café sees that you’re online, not
            what you’re doing.
          </Trans>
        }
      />
      <PictureCard
        img={noLogs}
        title={<Trans>Nothing written down</Trans>}
        desc={
          <Trans>
            We keep no diary of the sites you visit, and hold no email, phone number or real name to leak.
          </Trans>
        }
      />
      <PictureCard
        img={freedom}
        title={<Trans>At home abroad</Trans>}
        desc={
          <Trans>
            Your news, your music, your work: on the road as on your own sofa, as far as local law allows.
          </Trans>
        }
      />
    </Row>
  );
}

const Quote = styled.figure`
  display: flex;
  flex-direction: column;
  gap: 14px;
  width: 100%;
  padding: 20px;
  border: 1px solid var(--hairline);
  border-radius: var(--radius-card);
  background: var(--card);

  blockquote {
    flex: 1 0 auto;
  }
  figcaption {
    display: flex;
    align-items: center;
    gap: 12px;
    padding-top: 16px;
    border-top: 1px solid var(--hairline);
  }
`;

const Avatar = styled.img`
  width: 48px;
  height: 48px;
  border-radius: 50%;
  background: var(--well);
`;

const Rating = styled.img`
  width: auto;
  height: 20px;
  align-self: flex-start;
  margin-inline-start: -4px;
`;

const Person = styled.span`
  display: grid;
  font-weight: 600;
  line-height: 1.4;

  small {
    font-size: var(--size-14);
    font-weight: 400;
    color: var(--faint);
  }
`;

function Testimonial({
  avatar,
  name,
  role,
  rating,
  stars,
  children,
}: {
  avatar: string;
  name: ReactNode;
  role: ReactNode;
  rating: string;
  stars: string;
  children: ReactNode;
}) {
  return (
    <Item>
      <Quote>
        <Rating src={rating} width={112} height={20} alt={stars} loading="lazy" decoding="async" />
        <blockquote>
          <p>{children}</p>
        </blockquote>
        <figcaption>
          <Avatar src={avatar} width={96} height={96} alt="" loading="lazy" decoding="async" />
          <Person>
            {name}
            <small>{role}</small>
          </Person>
        </figcaption>
      </Quote>
    </Item>
  );
}

export function Testimonials() {
  const { t } = useLingui();
  return (
    <Row
      title={<Trans>Trusted by experts and users</Trans>}
      label={t`Trusted by experts and users`}
      lead={<Trans>From people who use it where it has to work.</Trans>}
      count={3}
    >
      <Testimonial
        avatar={engineer}
        name={<Trans>Marcus Tan</Trans>}
        role={<Trans>Network engineer, Singapore</Trans>}
        rating={five}
        stars={t`5 out of 5 stars`}
      >
        <Trans>
          I pulled the Wi-Fi in the middle of a download to see what it would do. Before I had put the phone
          down it was back, on mobile data. That is the test that counts.
        </Trans>
      </Testimonial>
      <Testimonial
        avatar={designer}
        name={<Trans>Lin Yue</Trans>}
        role={<Trans>Product designer, often on the road</Trans>}
        rating={five}
        stars={t`5 out of 5 stars`}
      >
        <Trans>
          28 yuan per month, about what two milk teas cost me. I switched it on for one video call in spring
          and have not thought about it since. That’s the nicest thing I can say about an app.
        </Trans>
      </Testimonial>
      <Testimonial
        avatar={teacher}
        name={<Trans>Helen Zhou</Trans>}
        role={<Trans>Retired teacher, Vancouver</Trans>}
        rating={fourAndAHalf}
        stars={t`4.5 out of 5 stars`}
      >
        <Trans>
          My grandson set it up before I flew to Lisbon. Every evening one tap, and I read my own newspaper.
          Twice it needed a few seconds to come back; it always came back.
        </Trans>
      </Testimonial>
    </Row>
  );
}
