/** The personal centre: who, until when, an unfinished payment, and what can be bought. Specification, sections 2 (personal_info) and 3. */
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { CatchBoundary } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { CreditCard, Settings, SquareArrowOutUpRight, WalletCards } from "lucide";
import { lazy, Suspense, useEffect } from "react";
import { styled } from "styled-components";
import type { ActorRefFrom } from "xstate";
import { isTransfer, openOf, type KeptOrder, type KeptTransfer } from "../../../machines/kept-orders.ts";
import { membershipMachine } from "../../../machines/membership.ts";
import { catalogueMachine } from "../../../machines/catalogue.ts";
import { checkoutMachine } from "../../../machines/checkout.ts";
import { useApp, useChart, useKept, usePageShown } from "../app.ts";
import { formatDay, percentOf, tidy } from "../format.ts";
import { createLink, useBack } from "../link.tsx";
import { Button, ButtonAnchor, IconAnchor } from "../parts/button.tsx";
import { BusyOverlay } from "../parts/busy-overlay.tsx";
import { Card } from "../parts/card.tsx";
import { bringIntoView } from "../parts/focus.ts";
import { Icon } from "../parts/icon.tsx";
import { PackageTile } from "../parts/package-card.tsx";
import { Page } from "../parts/page.tsx";
import { Row, RowAnchor, RowButton, RowContent, Rows } from "../parts/rows.tsx";
import { Sheet } from "../parts/sheet.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Stack } from "../parts/stack.tsx";
import { Heading, Note } from "../parts/text.tsx";
import { VisuallyHidden } from "../parts/visually-hidden.tsx";
import activePicture from "../pictures/member.svg";
import nonePicture from "../pictures/member-none.svg";
import { billPlace, paymentPlace } from "../places.ts";
import { Reading } from "./reading.tsx";
import { Slow } from "./slow.tsx";

const IconLink = createLink(IconAnchor);
const ButtonLink = createLink(ButtonAnchor);
const RowLink = createLink(RowAnchor);

/** Counted from zero. Specification, section 3; Decisions, "Badges". */
const badged = (at: number) => at % 2 === 0;

/** Night in both schemes: the one card with a lamp in it. Its first row keeps the last one below the lamp. */
const MemberCard = styled.section`
  container-type: inline-size;
  position: relative;
  overflow: hidden;
  display: grid;
  grid-template-rows: minmax(74px, 1fr);
  align-items: end;
  gap: 4px;
  min-height: 168px;
  padding: 20px;
  border-radius: var(--radius-card);
  background: radial-gradient(circle at 88% 20%, #2a2a38 0, #141c2e 55%, #0f1626 100%);
  color: #fbf8f2;

  > img {
    position: absolute;
    inset-block-start: 8px;
    inset-inline-end: 12px;
  }
  /* A narrow phone: a smaller lamp leaves room for the longest name. A reader's much larger text needs all of it. */
  > * {
    @container (width < 17em) {
      --lamp-room: 104px;
    }
    @container (width < 14em) {
      --lamp-room: 0px;
    }
  }
  > img {
    @container (width < 17em) {
      width: 120px;
      height: 90px;
    }
    @container (width < 14em) {
      display: none;
    }
  }
`;

const Name = styled.p`
  max-width: calc(100% - var(--lamp-room, 136px));
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 3;
  overflow: hidden;
  font-size: var(--size-20);
  font-weight: 640;
  overflow-wrap: anywhere;
`;

const Standing = styled.p`
  max-width: calc(100% - var(--lamp-room, 136px));
  font-size: var(--size-14);
  color: #c9c3b8;
  text-wrap: balance;

  &[data-active] {
    color: #f2a33a;
  }
`;

/** Below the lamp, over the whole width. */
const Until = styled(Standing)`
  max-width: none;
`;

const Tiles = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(9.25rem, 100%), 1fr));
  gap: 16px 12px;
  list-style: none;
`;

export function PersonalInfo() {
  const { t } = useLingui();
  const back = useBack({ to: "/home" });
  return (
    <Page
      title={<Trans>Personal center</Trans>}
      backLabel={t`Back`}
      onBack={back}
      trailing={
        <IconLink to="/setting" aria-label={t`Settings`}>
          <Icon of={Settings} />
        </IconLink>
      }
    >
      <Stack data-gap="loose">
        <Standings />
        <Checkout />
        <Unfinished />
        <Packages />
      </Stack>
    </Page>
  );
}

function Standings() {
  const { i18n } = useLingui();
  const { unfinished } = useApp();
  const membership = useChart(membershipMachine);
  usePageShown(membership);
  // An order that is settled meanwhile takes its card with it: what it bought is to be seen instead.
  useEffect(() => {
    const change = unfinished.on("orders.changed", () => membership.send({ type: "page.shown" }));
    return () => change.unsubscribe();
  }, [unfinished, membership]);
  const member = useSelector(membership, ({ context }) => context.member);
  const active = useSelector(membership, (snapshot) => snapshot.hasTag("active"));
  if (!member) {
    return (
      <Reading actor={membership} part>
        <Skeleton height="168px" radius="var(--radius-card)" />
      </Reading>
    );
  }
  const until = member.pack_exp_date === null ? null : formatDay(member.pack_exp_date, i18n.locale);
  return (
    <MemberCard>
      <img src={active ? activePicture : nonePicture} width={160} height={120} alt="" />
      <Name translate="no" title={member.account_name}>
        {member.account_name}
      </Name>
      {active ? (
        <>
          <Standing data-active="">{member.pack_name}</Standing>
          {until === null ? null : (
            <Until data-active="">
              <Trans>Valid until {until}</Trans>
            </Until>
          )}
        </>
      ) : (
        <Standing>
          <Trans>Not activated as a member</Trans>
        </Standing>
      )}
    </MemberCard>
  );
}

/** The way to the provider's window. Where none opened, the way there stays in sight, and whoever chose a package below is led up to it. Decisions, "Windows opened for the user". */
function Checkout() {
  const checkout = useApp().outlive(checkoutMachine);
  const address = useSelector(checkout, ({ context }) => context.opened?.blocked ?? null);
  const busy = useSelector(checkout, (snapshot) => snapshot.hasTag("busy"));
  const slow = useSelector(checkout, (snapshot) => snapshot.hasTag("slow"));
  return (
    <>
      <BusyOverlay
        open={busy}
        action={
          <Slow shown={slow} onGoOn={() => checkout.send({ type: "waiting.dropped" })}>
            <Trans>Stop waiting</Trans>
          </Slow>
        }
      >
        <Trans>Opening the payment window…</Trans>
      </BusyOverlay>
      {address === null ? null : (
        <Card data-tone="lamp" ref={bringIntoView}>
          <Stack>
            <Note>
              <Trans>The payment window did not open.</Trans>
            </Note>
            <ButtonAnchor
              data-tone="primary"
              href={address}
              target="_blank"
              rel="noreferrer"
              onClick={() => checkout.send({ type: "checkout.left" })}
            >
              <Trans>Open it here</Trans>
            </ButtonAnchor>
            <Button tone="text" onClick={() => checkout.send({ type: "checkout.dismissed" })}>
              <Trans>Not now</Trans>
            </Button>
          </Stack>
        </Card>
      )}
    </>
  );
}

/** The payments that were begun here and not seen to their end. Decisions, "Closing and payment". */
function Unfinished() {
  const { latest, earlier } = useKept(openOf);
  return (
    <>
      {latest.map((order) => (
        <UnfinishedCard key={order.orderId} order={order} />
      ))}
      {earlier.length === 0 ? null : <Earlier orders={earlier} />}
    </>
  );
}

function Earlier({ orders }: { orders: readonly KeptTransfer[] }) {
  return (
    <Stack>
      <Heading>
        <Trans>Earlier unfinished payments</Trans>
      </Heading>
      <Rows>
        {orders.map((order) => (
          <Row key={order.orderId}>
            <RowLink {...paymentPlace(order)}>
              <RowContent label={order.packName} value={`${order.amount} USDT`} mark="chevron" />
            </RowLink>
          </Row>
        ))}
      </Rows>
    </Stack>
  );
}

const Asked = lazy(() => import("./asked.tsx"));

function UnfinishedCard({ order }: { order: KeptOrder }) {
  const known = <Told order={order} />;
  return (
    <Card data-tone="lamp">
      <Stack>
        <Heading>
          <Trans>You have an unfinished payment</Trans>
        </Heading>
        {/* Without it there is what this browser knows. */}
        <CatchBoundary getResetKey={() => order.orderId} errorComponent={() => known}>
          <Suspense fallback={known}>
            <Asked order={order}>{(part) => <Told order={order} part={part} />}</Asked>
          </Suspense>
        </CatchBoundary>
      </Stack>
    </Card>
  );
}

/** @param part whether a part of the money has come: then nobody puts it away. */
function Told({ order, part = false }: { order: KeptOrder; part?: boolean }) {
  const { ask, unfinished } = useApp();
  const { amount, orderId, packName } = order;
  const putAway = async () => {
    // Without it there is no way from here to its address or its bill.
    const sure = await ask({
      title: msg`Forget this payment?`,
      text: msg`If you have already paid, it still counts. But this browser will no longer show its address or its bill.`,
      confirm: msg`Forget it`,
      cancel: msg`Keep it`,
      tone: "danger",
    });
    if (sure) unfinished.send({ type: "order.dropped", orderId });
  };
  const transfer = isTransfer(order) ? order : null;
  return (
    <>
      <Note>
        {part ? (
          <Trans>
            {packName}, {amount} USDT. Part of it has arrived.
          </Trans>
        ) : transfer ? (
          <Trans>
            {packName}, {amount} USDT. Not paid yet, or waiting for the network.
          </Trans>
        ) : (
          <Trans>
            {packName}, USD {amount}. The payment result is not in yet.
          </Trans>
        )}
      </Note>
      <Stack data-gap="tight" data-align="centre">
        {transfer ? (
          <ButtonLink {...paymentPlace(transfer)} data-tone="secondary">
            <Trans>Continue payment</Trans>
          </ButtonLink>
        ) : (
          <ButtonLink {...billPlace({ orderId, amount })} data-tone="secondary">
            <Trans>See the bill</Trans>
          </ButtonLink>
        )}
        {part ? null : (
          <Button tone="text" onClick={() => void putAway()}>
            <Trans>Do not remind me</Trans>
          </Button>
        )}
      </Stack>
    </>
  );
}

function Packages() {
  const { t } = useLingui();
  const catalogue = useChart(catalogueMachine, { input: { wanted: null, picked: null } });
  usePageShown(catalogue);
  const offers = useSelector(catalogue, ({ context }) => context.offers);
  const none = useSelector(catalogue, (snapshot) => snapshot.matches("empty"));
  return (
    <Stack>
      <Heading>
        <Trans>Membership packages</Trans>
      </Heading>
      <Reading actor={catalogue} part>
        <Tiles>
          {[1, 2, 3, 4].map((one) => (
            <li key={one}>
              <Skeleton height="136px" radius="var(--radius-card)" />
            </li>
          ))}
        </Tiles>
      </Reading>
      {none ? (
        <Note>
          <Trans>No packages on sale right now</Trans>
        </Note>
      ) : null}
      <Tiles>
        {offers.map((offer, at) => {
          const perDay = offer.day_price;
          const percent = percentOf(offer.discount);
          const saved = percent === null ? null : tidy(100 - percent);
          return (
            <li key={offer.product_id}>
              <PackageTile
                name={offer.name}
                currency="USD"
                price={offer.buy_price}
                perDay={perDay === "" ? undefined : t`USD ${perDay} a day`}
                discount={saved === null ? undefined : t`Save ${saved}%`}
                badge={badged(at) ? <VisuallyHidden>{t`Recommended`}</VisuallyHidden> : undefined}
                onClick={() => catalogue.send({ type: "methods.asked", productId: offer.product_id })}
              />
            </li>
          );
        })}
      </Tiles>
      <MethodSheet catalogue={catalogue} />
    </Stack>
  );
}

/** Alone, so that its opening draws no package anew. */
function MethodSheet({ catalogue }: { catalogue: ActorRefFrom<typeof catalogueMachine> }) {
  const { t } = useLingui();
  const open = useSelector(catalogue, (snapshot) => snapshot.matches("choosingMethod"));
  const slow = useSelector(catalogue, (snapshot) => snapshot.hasTag("slow"));
  const methods = useSelector(catalogue, ({ context }) => context.methods);
  const words = {
    EbPay: {
      label: "USDT",
      note: t`TRC20 or ERC20, from any wallet`,
      icon: <Icon of={WalletCards} />,
    },
    Razorpay: {
      label: t`Card`,
      note: t`Visa, Mastercard and others`,
      icon: <Icon of={CreditCard} />,
    },
    Stripe: {
      label: "Stripe",
      note: t`Card, on Stripe’s page in a new window`,
      icon: <Icon of={SquareArrowOutUpRight} />,
    },
  };
  return (
    <Sheet
      open={open}
      title={<Trans>How would you like to pay?</Trans>}
      closeLabel={t`Close`}
      onClose={() => catalogue.send({ type: "methods.dismissed" })}
    >
      {methods === null ? (
        <Stack>
          <div aria-busy={open}>
            <Skeleton height="64px" />
          </div>
          <Slow shown={slow} onGoOn={() => catalogue.send({ type: "methods.dismissed" })}>
            <Trans>Stop waiting</Trans>
          </Slow>
        </Stack>
      ) : (
        <Rows data-bare="">
          {methods.map((method) => (
            <Row key={method}>
              <RowButton onClick={() => catalogue.send({ type: "method.chosen", method })}>
                <RowContent
                  icon={words[method].icon}
                  label={words[method].label}
                  note={words[method].note}
                  mark="chevron"
                />
              </RowButton>
            </Row>
          ))}
          {methods.length === 0 ? (
            <Row>
              <Note>
                <Trans>No payment method is available right now. Please try again later.</Trans>
              </Note>
            </Row>
          ) : null}
        </Rows>
      )}
    </Sheet>
  );
}
