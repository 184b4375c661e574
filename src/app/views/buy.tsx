/** The packages on sale; `/buy/{name}` picks one. Specification, sections 2 (buy) and 3 ("Package"). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { memo, useCallback, useState } from "react";
import type { ActorRefFrom } from "xstate";
import { catalogueMachine, isCalled, type Offer } from "../../../machines/catalogue.ts";
import { useApp, useChart, usePageShown, usePlace } from "../app.ts";
import { percentOf } from "../format.ts";
import { Link, useBack } from "../link.tsx";
import { Button } from "../parts/button.tsx";
import { bringIntoView } from "../parts/focus.ts";
import { PackageCard, PackageGroup, PackageList } from "../parts/package-card.tsx";
import { Page } from "../parts/page.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Stack } from "../parts/stack.tsx";
import { StateView } from "../parts/state-view.tsx";
import { Note } from "../parts/text.tsx";
import { VisuallyHidden } from "../parts/visually-hidden.tsx";
import picture from "../pictures/empty.svg";
import { Reading } from "./reading.tsx";

type CatalogueRef = ActorRefFrom<typeof catalogueMachine>;

/** Counted from one. Specification, section 3; Decisions, "Badges". */
const badged = (at: number) => at + 1 === 2 || at + 1 === 4;

/** So many stand together. */
const GROUP = 20;
const inGroups = (offers: readonly Offer[]) =>
  Array.from({ length: Math.ceil(offers.length / GROUP) }, (_, of) =>
    offers.slice(of * GROUP, (of + 1) * GROUP),
  );

export function Buy() {
  const { t } = useLingui();
  const back = useBack({ to: "/personal_info" });
  const { name = null } = usePlace();
  const { storage } = useApp();
  // Whoever had to log in between finds their choice again; what the address names comes before it.
  const [input] = useState(() => ({
    wanted: name,
    picked: name === null ? (storage.readJson("selectedItem")?.product_id ?? null) : null,
  }));
  const catalogue = useChart(catalogueMachine, { input });
  usePageShown(catalogue);
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
      <Reading actor={catalogue}>
        {[1, 2, 3, 4].map((one) => (
          <Skeleton key={one} height="92px" radius="var(--radius-card)" />
        ))}
      </Reading>
      {empty ? (
        <StateView
          picture={<img src={picture} width={200} height={160} alt="" />}
          title={<Trans>No packages on sale right now</Trans>}
          actions={
            <Button tone="secondary" onClick={() => catalogue.send({ type: "asked.again" })}>
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
              methods, go to your <Link to="/personal_info">personal center</Link>.
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
              badge={badged(of * GROUP + at)}
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

/** One of many: it is drawn anew when it is picked or another one is instead, not with all of them. */
const Offered = memo(function Offered({ offer, badge, wanted, picked, pick }: OfferedProps) {
  const { t } = useLingui();
  const perDay = offer.day_price;
  const percent = percentOf(offer.discount);
  return (
    // Asked for by name it is on the screen, wherever it stands in the list.
    <div ref={wanted ? bringIntoView : null}>
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
