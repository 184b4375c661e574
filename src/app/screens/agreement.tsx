/** The user service agreement, in full. Specification, sections 2 (service) and 9 (auto-renew). */
import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { styled } from "styled-components";
import { useBack } from "../components/link.tsx";
import { Card } from "../ui/card.tsx";
import { Page } from "../ui/page.tsx";

const Text = styled.article`
  display: grid;
  gap: 40px;
  padding-bottom: calc(16px + var(--safe-bottom));
`;

const Short = styled(Card)`
  display: grid;
  gap: 12px;

  h2 {
    font-size: var(--size-16);
  }
  > p {
    color: var(--faint);
    font-size: var(--size-14);
  }
`;

const Part = styled.section`
  display: grid;
  gap: 12px;

  h2 {
    margin-bottom: 4px;
    font-size: var(--size-20);
  }
  h3 {
    margin-top: 12px;
    font-size: var(--size-16);
    letter-spacing: 0;
  }
  p,
  li {
    color: var(--soft);
  }
`;

const Points = styled.ul`
  display: grid;
  gap: 8px;
  color: var(--soft);

  li {
    position: relative;
    padding-inline-start: 20px;
  }
  li::before {
    content: "";
    position: absolute;
    inset: calc(0.5em * var(--leading) - 3px) auto auto 2px;
    width: 6px;
    height: 6px;
    border-radius: 50%;
    background: var(--lamp);
  }
`;

export default function Agreement() {
  const { t } = useLingui();
  const back = useBack({ to: "register" });
  return (
    <Page
      large
      title={<Trans>User service agreement</Trans>}
      lead={<Trans>In effect since January 7, 2022</Trans>}
      backLabel={t`Back`}
      onBack={back}
    >
      <Text>
        <Short as="aside" data-tone="lamp">
          <h2>
            <Trans>The short version</Trans>
          </h2>
          <Points>
            <li>
              <Trans>You pay for a period; we keep you connected for that period.</Trans>
            </li>
            <li>
              <Trans>
                Each USDT order has an address of its own. Use it for that order only, on the network you
                chose.
              </Trans>
            </li>
            <li>
              <Trans>
                Your membership renews only if you have chosen auto-renew. The charge is made 24 hours before
                it expires.
              </Trans>
            </li>
            <li>
              <Trans>
                Money that arrives late, short or over is never silently lost: part 4 says what happens to it.
              </Trans>
            </li>
            <li>
              <Trans>Don’t harm anyone with it, and follow the law where you are.</Trans>
            </li>
          </Points>
          <p>
            <Trans>The short version helps you read; the full text below is what counts.</Trans>
          </p>
        </Short>

        <Part>
          <p>
            <Trans>
              This agreement is between you and the Everlit team (“we”). It covers the Everlit website, the
              apps and the membership. You accept it by ticking the box when you register. Please read parts 4
              to 6 with care: they are about your money, your data, and who is liable for what.
            </Trans>
          </p>
        </Part>

        <Numbered title={<Trans>1. What the service is</Trans>}>
          <p>
            <Trans>
              Everlit is a VPN. While it is on, the traffic of your device travels encrypted to a server that
              we run or rent, and goes on to the internet from there. The service is made of the apps, these
              servers, your account on this website, and customer support.
            </Trans>
          </p>
          <p>
            <Trans>
              A VPN changes the route your traffic takes, and nothing else. It does not make you anonymous,
              does not protect you from malicious software, and does not change what you have agreed with the
              websites and apps that you use. Speed depends on your own network, on the distance and on the
              time of day.
            </Trans>
          </p>
          <p>
            <Trans>
              “Never offline” is what we work for; no network can promise it without exception. We do
              maintenance when few people are connected and announce it where we can. If a fault on our side
              leaves you without service for more than 24 hours in a row, tell us, and we add the lost time to
              your membership.
            </Trans>
          </p>
        </Numbered>

        <Numbered title={<Trans>2. Your account and your obligations</Trans>}>
          <p>
            <Trans>
              You register with an account name and a password. You must be 18 or older, or have the consent
              of a parent or guardian. Laws about VPNs differ from place to place: it is up to you to know
              whether you may use one where you are, and to follow the law that applies to you.
            </Trans>
          </p>
          <p>
            <Trans>
              Keep your password to yourself. We hold no email address and no phone number of yours, so the
              security question is the only way to reset a forgotten password on your own. Set it soon after
              you register; to replace it later, you need your password.
            </Trans>
          </p>
          <p>
            <Trans>
              An account belongs to one person. Do not sell it, rent it out or publish its password. If you
              think that somebody else is using it, change the password, which logs you out on every device,
              and tell us. What happens through your account before that is treated as done by you, unless you
              could not have prevented it.
            </Trans>
          </p>
        </Numbered>

        <Numbered title={<Trans>3. What is not allowed</Trans>}>
          <p>
            <Trans>With Everlit, nobody may:</Trans>
          </p>
          <Points>
            <li>
              <Trans>
                break the law, or take part in fraud, extortion, illegal gambling or the abuse of children;
              </Trans>
            </li>
            <li>
              <Trans>
                attack other systems: break in, scan, flood, spread malicious software, or send spam;
              </Trans>
            </li>
            <li>
              <Trans>threaten or harass people, or publish what violates their privacy;</Trans>
            </li>
            <li>
              <Trans>copy and distribute works without the right to do so;</Trans>
            </li>
            <li>
              <Trans>resell the connection, or load it with automated traffic so that others suffer;</Trans>
            </li>
            <li>
              <Trans>get around the limits of a package, or tamper with the apps or the servers;</Trans>
            </li>
            <li>
              <Trans>pay with stolen cards or with the proceeds of crime.</Trans>
            </li>
          </Points>
          <p>
            <Trans>
              Where these rules are broken we may limit, suspend or close the account, as far as the case
              requires. We warn first, unless others are being harmed or the law forbids us to wait. A
              membership closed for a serious breach is not refunded. If you think that we are wrong, write to
              support: a person will look at it again.
            </Trans>
          </p>
        </Numbered>

        <Numbered title={<Trans>4. Subscription and payment</Trans>}>
          <h3>
            <Trans>Packages and prices</Trans>
          </h3>
          <p>
            <Trans>
              Prices are in US dollars. The price shown when you create an order is the price of that order,
              even if we change it later. Membership begins when the payment is confirmed. If you still have
              time left, the new period is added after the old one and nothing is lost.
            </Trans>
          </p>
          <h3>
            <Trans>Paying in USDT</Trans>
          </h3>
          <p>
            <Trans>
              You pay on TRC20 or ERC20, whichever you choose, and 1 USDT counts as 1 US dollar. Every order
              is given a one-time address and an exact amount. Send that amount to that address, on that
              network, within 30 minutes, and never pay a new order to the address of an earlier one.
              Confirmation by the network takes about 3 minutes. Network and exchange fees are yours and come
              on top: what counts is what arrives.
            </Trans>
          </p>
          <Points>
            <li>
              <Trans>
                <b>Too late.</b> Money that arrives after the 30 minutes still belongs to its order and is
                credited once the network confirms it. If it arrives many days late, a person checks it first.
              </Trans>
            </li>
            <li>
              <Trans>
                <b>Too little.</b> The order stays pending. Send the rest to the same address, or ask us for
                your money back.
              </Trans>
            </li>
            <li>
              <Trans>
                <b>Too much.</b> The order is confirmed. The surplus does not turn into membership time by
                itself: send us the order number, and we return it less the network fee.
              </Trans>
            </li>
            <li>
              <Trans>
                <b>Wrong network or wrong coin.</b> Such a transfer may be lost. We will try to recover it,
                but cannot promise that it is possible.
              </Trans>
            </li>
          </Points>
          <h3>
            <Trans>Paying by card</Trans>
          </h3>
          <p>
            <Trans>
              Card payments are carried out by a card payment provider, under its terms as well. Your full
              card number and security code go to that provider and never reach our servers.
            </Trans>
          </p>
          <h3>
            <Trans>Auto-renew</Trans>
          </h3>
          <p>
            <Trans>
              If you have chosen a membership that renews by itself, the next period is charged 24 hours
              before your membership expires. You can have support turn auto-renew off at any time before that
              charge; your membership then runs to its last day and ends. If the price is going to change, we
              tell you before we charge it. Payments in USDT never renew by themselves, because nobody but you
              can send money from your wallet.
            </Trans>
          </p>
          <h3>
            <Trans>Refunds</Trans>
          </h3>
          <p>
            <Trans>
              If the service does not work on your device and we cannot put it right, ask within 7 days of the
              payment and we refund it in full. Double charges and surpluses are returned whenever you ask.
              Apart from that, a period that has begun is not refunded, unless the law of your country gives
              you more. Card payments go back to the card; USDT goes to an address that you confirm with us,
              less the network fee.
            </Trans>
          </p>
        </Numbered>

        <Numbered title={<Trans>5. Privacy</Trans>}>
          <p>
            <Trans>
              We keep what the account needs: its name, a one-way hash of your password, your security
              question and a hash of the answer, your orders and payments, and the dates of your membership.
              For security we also keep when and from which network address, browser and kind of device you
              log in, and a record of security events such as failed log-ins and password changes. Nickname,
              gender and date of birth are kept only if you fill them in. We do not ask for your real name.
            </Trans>
          </p>
          <p>
            <Trans>
              We record neither the content of your traffic nor the sites you visit, and we sell no data about
              you. To run the service we use technical data such as the version of the app, the amount of data
              carried and error reports. Payments in USDT are recorded on public blockchains, where anybody
              can read them and nobody can delete them.
            </Trans>
          </p>
          <p>
            <Trans>
              We pass data on only to the payment providers, as far as a payment needs it, and to authorities,
              as far as the law compels us. You may ask support at any time what we hold about you, have it
              corrected, or have your account deleted; records of payments stay for as long as the law
              requires. The Privacy Policy on our website has the details.
            </Trans>
          </p>
        </Numbered>

        <Numbered title={<Trans>6. Liability</Trans>}>
          <p>
            <Trans>
              Our liability is unlimited for intent, for gross negligence, for harm to life and health, and
              wherever the law does not allow a limit. In all other cases it is limited to what you paid us in
              the 12 months before the damage.
            </Trans>
          </p>
          <p>
            <Trans>
              We are not liable for what we cannot control: the networks of others, the decisions of websites
              and app stores, faults of wallets and exchanges, money sent to a wrong address, a forgotten
              password without a security question, or events that no reasonable care could have prevented.
              You are liable for damage that you cause us or others by breaking part 3.
            </Trans>
          </p>
        </Numbered>

        <Numbered title={<Trans>7. Changes, end and questions</Trans>}>
          <p>
            <Trans>
              If we change this agreement, the date at the top changes with it. We announce important changes
              at least 7 days ahead, and they never take back time that you have already paid for. If you
              disagree, you may stop using the service before they take effect and ask us to refund the time
              that is left.
            </Trans>
          </p>
          <p>
            <Trans>
              You may leave at any time. If there is a dispute, write to support first; most things are
              settled there. If that fails, the courts at our seat decide, unless the law gives you one closer
              to home. Should a clause be invalid, the others stand. The Chinese and the English text are
              meant to say the same; where they differ, the reading that is better for you applies.
            </Trans>
          </p>
        </Numbered>
      </Text>
    </Page>
  );
}

function Numbered({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Part>
      <h2>{title}</h2>
      {children}
    </Part>
  );
}
