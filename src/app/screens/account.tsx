/** The personal centre: the member, their membership, a pending order and the packages on sale. Specification, sections 2 (personal_info) and 3. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { ReceiptText, Settings } from "lucide";
import { useEffect } from "react";
import { styled } from "styled-components";
import { membershipIn, membershipMachine, type LastKnownMembership } from "../../../machines/membership.ts";
import { catalogueMachine } from "../../../machines/catalogue.ts";
import { checkoutMachine } from "../../../machines/checkout.ts";
import { useApp, useAudience, useChart, usePageVisible, useScreenActivated } from "../runtime/hooks.ts";
import { useKnownOffers, useOfferMark } from "../runtime/known-offers.ts";
import { formatDay } from "../components/format.ts";
import { percentOf, savedOf } from "../../contract/discount.ts";
import { linkWith, useBack } from "../components/link.tsx";
import { Button, IconAnchor } from "../ui/button.tsx";
import { BusyOverlay } from "../ui/busy-overlay.tsx";
import { Card } from "../ui/card.tsx";
import { bringIntoView } from "../ui/focus.ts";
import { Icon } from "../ui/icon.tsx";
import { PackageTile } from "../ui/package-card.tsx";
import { Page } from "../ui/page.tsx";
import { Row, RowAnchor, RowContent, Rows } from "../ui/rows.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Stack } from "../ui/stack.tsx";
import { Heading, Note } from "../ui/text.tsx";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import activePicture from "../pictures/member.svg";
import nonePicture from "../pictures/member-none.svg";
import { EarlierPaymentDialog, usePayOnce } from "../components/pay-once.tsx";
import { PriceChangedDialog } from "../components/price-changed.tsx";
import { PaymentMethodSheet } from "../components/payment-method-sheet.tsx";
import { PendingOrders } from "../components/pending-orders.tsx";
import { PayLink } from "../components/pay-link.tsx";
import { EndLine } from "../components/membership-end.tsx";
import { AsyncContent } from "../components/async-content.tsx";
import { SlowNotice } from "../components/slow-notice.tsx";

const IconLink = linkWith(IconAnchor);
const RowLink = linkWith(RowAnchor);

/** Positions from zero. Specification, section 3; Decisions, "Badges". */
const badged = (at: number) => at % 2 === 0;

/**
 * Dark in both colour schemes, because it shows the lamp. Its first row is as high as the lamp, so that the last row
 * stays below it. The name stands in the same place whatever comes below it.
 */
const MemberCard = styled.section`
  container-type: inline-size;
  position: relative;
  overflow: hidden;
  display: grid;
  grid-template-rows: minmax(74px, auto);
  align-content: start;
  align-items: end;
  gap: 4px;
  min-height: 168px;
  padding: 20px;
  border-radius: var(--radius-card);
  background: radial-gradient(circle at 88% 20%, #2a2a38 0, #141c2e 55%, #0f1626 100%);
  color: #fbf8f2;
  --well: rgb(251 248 242 / 12%);
  --glow: rgb(251 248 242 / 10%);

  > img {
    position: absolute;
    inset-block-start: 8px;
    inset-inline-end: 12px;
  }
  /* A narrow phone: a smaller lamp leaves room for the longest name. A very large text size needs all of the width. */
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

/** Below the lamp, at full width. */
const Until = styled(Standing)`
  max-width: none;
`;

const Tiles = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(9.25rem, 100%), 1fr));
  gap: 16px 12px;
  list-style: none;
`;

export default function Account() {
  const { t } = useLingui();
  const back = useBack({ to: "landing" });
  return (
    <Page
      title={<Trans>Personal center</Trans>}
      backLabel={t`Back`}
      onBack={back}
      trailing={
        <IconLink to="settings" aria-label={t`Settings`}>
          <Icon of={Settings} />
        </IconLink>
      }
    >
      <Stack data-gap="loose">
        <Standings />
        <Checkout />
        <PendingOrders />
        <Rows style={{ ["--row-inset" as string]: "50px" }}>
          <Row>
            <RowLink to="orders">
              <RowContent icon={<Icon of={ReceiptText} />} label={<Trans>My orders</Trans>} mark="chevron" />
            </RowLink>
          </Row>
        </Rows>
        <Packages />
      </Stack>
    </Page>
  );
}

function Standings() {
  const { pendingOrders, membershipInput } = useApp();
  const { userName } = useAudience();
  const membership = useChart(membershipMachine, { input: membershipInput(userName) });
  useScreenActivated(membership);
  usePageVisible(membership);
  // A settled order's card disappears; reloading the member shows what it bought.
  useEffect(() => {
    let { orders } = pendingOrders.getSnapshot().context;
    const change = pendingOrders.subscribe(({ context }) => {
      if (context.orders === orders) return;
      ({ orders } = context);
      membership.send({ type: "screen.activated" });
    });
    return () => change.unsubscribe();
  }, [pendingOrders, membership]);
  const shown = useSelector(membership, (snapshot) => snapshot.matches({ reading: "shown" }));
  const name = useSelector(membership, ({ context }) => context.member?.account_name ?? userName);
  const known = useSelector(membership, ({ context }) => membershipIn(context));
  const end = useSelector(membership, ({ context }) => context.end);
  const active = useSelector(membership, (snapshot) => snapshot.hasTag("active"));
  const card = (
    <MemberCard>
      <img src={active ? activePicture : nonePicture} width={160} height={120} alt="" />
      <Name translate="no" title={name} data-filled="name">
        {name}
      </Name>
      {active ? (
        <Running membership={known} />
      ) : (
        <Standing>
          {known ? <Trans>Not activated as a member</Trans> : <Skeleton width="60%" height="1.4em" />}
        </Standing>
      )}
    </MemberCard>
  );
  if (!shown) {
    return (
      <AsyncContent
        actor={membership}
        during="reading.loading"
        without="reading.failed"
        part
        known={known !== null}
      >
        {card}
      </AsyncContent>
    );
  }
  return (
    <Stack>
      {card}
      {end === null ? null : <EndLine end={end} />}
    </Stack>
  );
}

function Running({ membership }: { membership: LastKnownMembership | null }) {
  const { i18n } = useLingui();
  const end = membership?.pack_exp_date ?? null;
  const until = end === null ? null : formatDay(end, i18n.locale);
  return (
    <>
      <Standing data-active="">{membership?.pack_name}</Standing>
      {until === null ? null : (
        <Until data-active="">
          <Trans>Valid until {until}</Trans>
        </Until>
      )}
    </>
  );
}

/**
 * The link to the provider's window for an order without an id; one with an id has the link on its bill.
 * Decisions, "Windows opened for the user".
 */
function Checkout() {
  const checkout = useApp().appActor(checkoutMachine);
  const address = useSelector(checkout, ({ context }) => context.opened?.payUrl ?? null);
  const busy = useSelector(checkout, (snapshot) => snapshot.hasTag("busy"));
  const slow = useSelector(checkout, (snapshot) => snapshot.hasTag("slow"));
  const shown = useSelector(checkout, ({ context }) => context.wanted?.offer.buy_price ?? "");
  const charged = useSelector(checkout, ({ context }) => context.price ?? "");
  return (
    <>
      <BusyOverlay
        open={busy}
        action={
          <SlowNotice shown={slow} onGoOn={() => checkout.send({ type: "cancel" })}>
            <Trans>Stop waiting</Trans>
          </SlowNotice>
        }
      >
        <Trans>Opening the payment window…</Trans>
      </BusyOverlay>
      <EarlierPaymentDialog payOnce={usePayOnce(checkout)} />
      <PriceChangedDialog actor={checkout} shown={`USD ${shown}`} charged={`USD ${charged}`} />
      {address === null ? null : (
        <Card data-tone="lamp" ref={bringIntoView}>
          <Stack>
            <Note>
              <Trans>The payment window did not open.</Trans>
            </Note>
            <PayLink address={address} tone="primary" />
            <Button tone="text" onClick={() => checkout.send({ type: "checkout.dismissed" })}>
              <Trans>Not now</Trans>
            </Button>
          </Stack>
        </Card>
      )}
    </>
  );
}

function Packages() {
  const { t } = useLingui();
  const knownOffers = useKnownOffers();
  const mark = useOfferMark();
  const catalogue = useChart(catalogueMachine, { input: { wanted: null, picked: null, knownOffers } });
  useScreenActivated(catalogue);
  const offers = useSelector(catalogue, ({ context }) => context.offers);
  const none = useSelector(catalogue, (snapshot) => snapshot.matches("empty"));
  return (
    <Stack>
      <Heading>
        <Trans>Membership packages</Trans>
      </Heading>
      <AsyncContent actor={catalogue} part>
        <Tiles>
          {[1, 2, 3, 4].map((one) => (
            <li key={one}>
              <Skeleton height="136px" radius="var(--radius-card)" />
            </li>
          ))}
        </Tiles>
      </AsyncContent>
      {none ? (
        <Note>
          <Trans>No packages on sale right now</Trans>
        </Note>
      ) : null}
      <Tiles>
        {offers.map((offer, at) => {
          const perDay = offer.day_price;
          const saved = savedOf(percentOf(offer.discount));
          return (
            <li key={offer.product_id} data-offer={mark}>
              <PackageTile
                name={offer.name}
                currency="USD"
                price={offer.buy_price}
                perDay={perDay === "" ? undefined : t`USD ${perDay} a day`}
                discount={saved === null ? undefined : t`Save ${saved}%`}
                badge={badged(at) ? <VisuallyHidden>{t`Recommended`}</VisuallyHidden> : undefined}
                onClick={() => catalogue.send({ type: "methods.requested", productId: offer.product_id })}
              />
            </li>
          );
        })}
      </Tiles>
      <PaymentMethodSheet catalogue={catalogue} />
    </Stack>
  );
}
