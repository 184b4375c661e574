/** The packages on sale; `/buy/{name}` selects one. Specification, sections 2 (buy) and 3 ("Package"). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { memo, useCallback, useState } from "react";
import type { ActorRefFrom } from "xstate";
import { catalogueMachine, isCalled, type Offer } from "../../../machines/catalogue.ts";
import { useApp, useAudience, useChart, useRouteParams, useScreenActivated } from "../runtime/hooks.ts";
import { useKnownOffers, useOfferMark } from "../runtime/known-offers.ts";
import { isRecommended, percentOf } from "../../contract/discount.ts";
import { Link, useBack } from "../components/link.tsx";
import { Button } from "../ui/button.tsx";
import { bringIntoView } from "../ui/focus.ts";
import { PackageCard, PackageGroup, PackageList } from "../ui/package-card.tsx";
import { Page } from "../ui/page.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Stack } from "../ui/stack.tsx";
import { StateView } from "../ui/state-view.tsx";
import { Note } from "../ui/text.tsx";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import picture from "../pictures/empty.svg";
import { AsyncContent } from "../components/async-content.tsx";

type CatalogueRef = ActorRefFrom<typeof catalogueMachine>;

/** Packages in a group. */
const GROUP = 20;
const inGroups = (offers: readonly Offer[]) =>
  Array.from({ length: Math.ceil(offers.length / GROUP) }, (_, of) =>
    offers.slice(of * GROUP, (of + 1) * GROUP),
  );

export default function Packages() {
  const { t } = useLingui();
  const { name = null } = useRouteParams();
  const { catalogueInput } = useApp();
  const { visitor } = useAudience();
  // The personal centre would send a visitor to the login.
  const back = useBack({ to: visitor ? "landing" : "account" });
  const knownOffers = useKnownOffers();
  const [input] = useState(() => ({ ...catalogueInput(name), knownOffers }));
  const catalogue = useChart(catalogueMachine, { input });
  useScreenActivated(catalogue);
  const empty = useSelector(catalogue, (snapshot) => snapshot.matches("empty"));
  const listing = useSelector(catalogue, (snapshot) => snapshot.matches("listing"));
  return (
    <Page
      large
      title={<Trans>Choose a package</Trans>}
      lead={<Trans>Every package has every feature, on all your Android and iOS devices.</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={<Foot catalogue={catalogue} />}
    >
      <AsyncContent actor={catalogue}>
        {[1, 2, 3, 4].map((one) => (
          <Skeleton key={one} height="92px" radius="var(--radius-card)" />
        ))}
      </AsyncContent>
      {empty ? (
        <StateView
          picture={<img src={picture} width={200} height={160} alt="" />}
          title={<Trans>No packages on sale right now</Trans>}
          actions={
            <Button tone="secondary" onClick={() => catalogue.send({ type: "retry" })}>
              <Trans>Refresh</Trans>
            </Button>
          }
        >
          <Trans>New ones will be here soon.</Trans>
        </StateView>
      ) : null}
      {listing ? (
        <Stack data-gap="loose">
          <fieldset>
            <VisuallyHidden as="legend">
              <Trans>Packages</Trans>
            </VisuallyHidden>
            <Offers catalogue={catalogue} wanted={name} />
          </fieldset>
          <Note>
            <Trans>
              New days are added to any you have left. The next step is payment in USDT; for other payment
              methods, go to your <Link to="account">personal center</Link>.
            </Trans>
          </Note>
        </Stack>
      ) : null}
    </Page>
  );
}

function Foot({ catalogue }: { catalogue: CatalogueRef }) {
  const takeable = useSelector(catalogue, (snapshot) => snapshot.can({ type: "offer.taken" }));
  return (
    <Button disabled={!takeable} onClick={() => catalogue.send({ type: "offer.taken" })}>
      <Trans>Continue</Trans>
    </Button>
  );
}

function Offers({ catalogue, wanted }: { catalogue: CatalogueRef; wanted: string | null }) {
  const offers = useSelector(catalogue, ({ context }) => context.offers);
  const picked = useSelector(catalogue, ({ context }) => context.picked);
  const pick = useCallback(
    (productId: string) => catalogue.send({ type: "offer.picked", productId }),
    [catalogue],
  );
  return (
    <PackageList>
      {inGroups(offers).map((group, of) => (
        <PackageGroup key={group[0]?.product_id} data-many={offers.length > GROUP ? "" : undefined}>
          {group.map((offer, at) => (
            <Offered
              key={offer.product_id}
              offer={offer}
              badge={isRecommended(of * GROUP + at)}
              wanted={isCalled(offer, wanted)}
              picked={offer.product_id === picked}
              pick={pick}
            />
          ))}
        </PackageGroup>
      ))}
    </PackageList>
  );
}

interface OfferedProps {
  offer: Offer;
  badge: boolean;
  wanted: boolean;
  picked: boolean;
  pick: (productId: string) => void;
}

/** One of many: it rerenders only when its own selection changes. */
const Offered = memo(function Offered({ offer, badge, wanted, picked, pick }: OfferedProps) {
  const { t } = useLingui();
  const perDay = offer.day_price;
  const percent = percentOf(offer.discount);
  return (
    // A package named in the URL is scrolled into view, wherever it is in the list.
    <div ref={wanted ? bringIntoView : null} data-offer={useOfferMark()}>
      <PackageCard
        group="package"
        value={offer.product_id}
        checked={picked}
        onChange={() => pick(offer.product_id)}
        name={offer.name}
        currency="USD"
        price={offer.buy_price}
        listPrice={percent === null || offer.price === "" ? undefined : offer.price}
        perDay={perDay === "" ? undefined : t`USD ${perDay} a day`}
        discount={percent === null ? undefined : t`${percent}% of list price`}
        badge={badge ? <VisuallyHidden>{t`Recommended`}</VisuallyHidden> : undefined}
      />
    </div>
  );
});
