/** Packages as operators see them: the shop's own card, and what a change alters. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { ComponentProps } from "react";
import styled from "styled-components";
import type { PackageChange, PackageLine, ShownCatalogue } from "../../contract/console.ts";
import { orderChange, packageChanges } from "../../contract/console.ts";
import { percentOf } from "../../contract/discount.ts";
import type { Language } from "../../contract/languages.ts";
import { PackageCard } from "../../app/ui/package-card.tsx";
import { Stack } from "../../app/ui/stack.tsx";
import { Note } from "../../app/ui/text.tsx";
import { VisuallyHidden } from "../../app/ui/visually-hidden.tsx";

/** A package's name in the language in use. */
function usePackageName() {
  const { i18n } = useLingui();
  return (name: Record<Language, string>) => name[i18n.locale as Language];
}

interface ShopCardProps extends Pick<ComponentProps<"input">, "checked" | "onChange" | "disabled"> {
  of: PackageLine;
  /** Whether the shop recommends it: it stands second or fourth. */
  isBadged?: boolean;
}

/** A package as the shop shows it: the same card, with the same words. */
export function ShopCard({ of, isBadged = false, ...input }: ShopCardProps) {
  const { t } = useLingui();
  const nameOf = usePackageName();
  const perDay = of.day_price;
  const percent = percentOf(of.discount);
  return (
    <PackageCard
      {...input}
      group="package"
      value={of.product_id}
      name={nameOf(of.name)}
      currency="USD"
      price={of.buy_price}
      listPrice={percent === null ? undefined : of.price}
      perDay={t`USD ${perDay} a day`}
      discount={percent === null ? undefined : t`${percent}% of list price`}
      badge={isBadged ? <VisuallyHidden>{t`Recommended`}</VisuallyHidden> : undefined}
    />
  );
}

const Differing = styled.ul`
  display: grid;
  gap: 4px;
  font-size: var(--size-14);
  overflow-wrap: anywhere;
  font-variant-numeric: tabular-nums;
`;

/** What is altered of packages, a line each. */
export function PackageDifferences({
  changes,
  order,
}: {
  changes: readonly PackageChange[];
  order: readonly Record<Language, string>[] | null;
}) {
  const nameOf = usePackageName();
  return (
    <Differing>
      {changes.map((change) => {
        const { before, after } = change;
        const some = after ?? before;
        return some === null ? null : (
          <li key={some.product_id}>
            <strong>{nameOf(some.name)}</strong>: <PackageDifference change={change} />
          </li>
        );
      })}
      {order === null ? null : (
        <li>
          <Trans>New order: {order.map(nameOf).join(" · ")}</Trans>
        </li>
      )}
    </Differing>
  );
}

const altered = (was: string | number, is: string | number) => (was === is ? null : `${was} → ${is}`);

function PackageDifference({ change: { before, after } }: { change: PackageChange }) {
  const { t } = useLingui();
  if (after === null) return t`no longer there`;
  const { buy_price: asked, price: list, days } = after;
  if (before === null) return t`new, USD ${asked} instead of ${list}, days: ${days}`;
  const sums = altered(before.buy_price, asked);
  const lists = altered(before.price, list);
  const lengths = altered(before.days, days);
  return [
    sums === null ? null : t`price ${sums}`,
    lists === null ? null : t`list price ${lists}`,
    lengths === null ? null : t`days ${lengths}`,
    altered(before.name.en, after.name.en),
    altered(before.name["zh-CN"], after.name["zh-CN"]),
    before.closed === after.closed ? null : after.closed ? t`now closed` : t`now on sale`,
  ]
    .filter((each) => each !== null)
    .join(" · ");
}

const Shown = styled.div`
  max-width: 480px;
  padding-block: 4px;
`;

/** What a change does to the packages, and how the shop shows those that it alters. */
export function CatalogueDifferences({ before, after }: { before: ShownCatalogue; after: ShownCatalogue }) {
  const changes = packageChanges(before.packages, after.packages);
  const order = orderChange(before.packages, after.packages);
  const shown = changes.flatMap((change) => (change.after && !change.after.closed ? [change.after] : []));
  return (
    <Stack data-gap="tight">
      <PackageDifferences changes={changes} order={order?.after.map(({ name }) => name) ?? null} />
      {before.version !== null && after.version === null ? (
        <Note>
          <Trans>From now on the packages are those of the file again.</Trans>
        </Note>
      ) : null}
      {before.version === null && after.version !== null ? (
        <Note>
          <Trans>From now on the packages are those of this page, and no longer those of the file.</Trans>
        </Note>
      ) : null}
      {shown.length === 0 ? null : (
        <>
          <Note>
            <Trans>As the shop will show it:</Trans>
          </Note>
          {shown.map((each) => (
            // A picture of the card: nothing is chosen here.
            <Shown key={each.product_id} inert>
              <ShopCard of={each} />
            </Shown>
          ))}
        </>
      )}
    </Stack>
  );
}
