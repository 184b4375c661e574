/** The packages: as the shop shows them, what is changed of one, and every version with who and when. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import styled from "styled-components";
import type { PackageLine, PackagesStory, VersionLine } from "../../contract/console.ts";
import { isRecommended } from "../../contract/discount.ts";
import { Badge } from "../../app/ui/badge.tsx";
import { Button } from "../../app/ui/button.tsx";
import { PackageList } from "../../app/ui/package-card.tsx";
import { Stack } from "../../app/ui/stack.tsx";
import { Heading, Note } from "../../app/ui/text.tsx";
import { ChangePanel } from "../parts/change.tsx";
import { Buttons, LineNote, Lines } from "../parts/layout.tsx";
import { EntryView } from "../parts/lines.tsx";
import { PackageDifferences, ShopCard } from "../parts/packages.tsx";
import { ReadingView } from "../parts/reading.tsx";
import { useReading } from "../runtime.tsx";

/** What stands in the address where a package is added. */
const NEW = "*";

const Sides = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 20px;

  @media (min-width: 900px) {
    grid-template-columns: minmax(0, 390px) minmax(0, 1fr);
    align-items: start;
  }
`;

const Legend = styled.legend`
  padding: 0 0 14px;
  font-size: var(--size-14);
  font-weight: 550;
  color: var(--soft);
`;

const Wide = styled.div`
  grid-column: 1 / -1;

  > button {
    width: auto;
  }
`;

export function PackagesScreen({ pick }: { pick: string | undefined }) {
  const { ref, items } = useReading<PackagesStory>({ call: "packages" });
  const [story] = items;
  return (
    <>
      <h1>
        <Trans>Packages</Trans>
      </h1>
      <ReadingView of={ref}>{story ? <PackagesView story={story} pick={pick} /> : null}</ReadingView>
      <Heading>
        <Trans>Versions</Trans>
      </Heading>
      <Versions />
    </>
  );
}

/** The present values of a package, by the names of the command's options. */
const valuesOf = (of: PackageLine, place: number) => ({
  "name-en": of.name.en,
  "name-zh": of.name["zh-CN"],
  "buy-price": of.buy_price,
  price: of.price,
  days: String(of.days),
  place: String(place),
  sale: of.closed ? "closed" : "open",
});

function PackagesView({ story, pick }: { story: PackagesStory; pick: string | undefined }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [isReturning, setReturning] = useState(false);
  const { version, packages, actions, restoring } = story;
  const choose = (product?: string) =>
    void navigate({
      to: ".",
      search: product === undefined ? {} : { pick: product },
      replace: true,
      resetScroll: false,
    });
  const [open, closed] = [packages.filter((each) => !each.closed), packages.filter((each) => each.closed)];
  const picked = packages.find((each) => each.product_id === pick);
  const canChange = actions.includes("package-set");
  const cardsOf = (list: readonly PackageLine[], isSold: boolean) => (
    <PackageList>
      {list.map((each, at) => (
        <ShopCard
          key={each.product_id}
          of={each}
          isBadged={isSold && isRecommended(at)}
          checked={each.product_id === pick}
          onChange={() => choose(each.product_id)}
        />
      ))}
    </PackageList>
  );
  return (
    <>
      <Note>
        {version === null ? (
          <Trans>They come from the catalogue's file. The first change made here takes its place.</Trans>
        ) : (
          <Trans>They are version {version} of this page. The catalogue's file is not in use.</Trans>
        )}
      </Note>
      <Sides>
        <Stack>
          <fieldset>
            <Legend>
              <Trans>As the shop shows them</Trans>
            </Legend>
            {open.length === 0 ? (
              <Note>
                <Trans>No package is on sale.</Trans>
              </Note>
            ) : (
              cardsOf(open, true)
            )}
          </fieldset>
          {closed.length === 0 ? null : (
            <fieldset>
              <Legend>
                <Trans>Closed: not shown, and not sold</Trans>
              </Legend>
              {cardsOf(closed, false)}
            </fieldset>
          )}
          {canChange ? (
            <Buttons>
              <Button tone="secondary" aria-expanded={pick === NEW} onClick={() => choose(NEW)}>
                <Trans>Add a package</Trans>
              </Button>
              {restoring.length === 0 ? null : (
                <Button tone="quiet" aria-expanded={isReturning} onClick={() => setReturning(!isReturning)}>
                  <Trans>Use the file again</Trans>
                </Button>
              )}
            </Buttons>
          ) : null}
        </Stack>
        <Stack>
          {isReturning ? (
            <ChangePanel
              command="packages-restore"
              args={["file"]}
              title={t`Use the file again`}
              onClose={() => setReturning(false)}
            />
          ) : null}
          {pick === NEW && canChange ? (
            <ChangePanel
              key={NEW}
              command="package-set"
              args={[]}
              title={t`Add a package`}
              onClose={() => choose()}
            />
          ) : null}
          {picked && canChange ? (
            <ChangePanel
              key={picked.product_id}
              command="package-set"
              args={[picked.product_id]}
              values={valuesOf(picked, packages.indexOf(picked) + 1)}
              title={t`Change ${picked.product_id}`}
              onClose={() => choose()}
            />
          ) : null}
          {picked || pick === NEW || isReturning || !canChange ? null : (
            <Note>
              <Trans>Choose a package to change it.</Trans>
            </Note>
          )}
        </Stack>
      </Sides>
    </>
  );
}

function Versions() {
  const { ref, items } = useReading<VersionLine>({ call: "list", list: "versions", filter: "all" });
  return (
    <ReadingView of={ref}>
      {items.length === 0 ? (
        <Note>
          <Trans>None yet: the file's packages have always been on sale.</Trans>
        </Note>
      ) : (
        <Lines>
          {items.map((version) => (
            <li key={version.id}>
              <VersionView version={version} />
            </li>
          ))}
        </Lines>
      )}
    </ReadingView>
  );
}

function VersionView({ version }: { version: VersionLine }) {
  const { t } = useLingui();
  const [isRestoring, setRestoring] = useState(false);
  const { id, source, isOnSale, changes, order, entry, actions } = version;
  return (
    <>
      <Wide>
        <strong>
          <Trans>Version {id}</Trans>
        </strong>{" "}
        {isOnSale ? (
          <Badge data-tone="success">
            <Trans>On sale now</Trans>
          </Badge>
        ) : null}
        {source === "file" ? (
          <LineNote>
            <Trans>The file's packages</Trans>
          </LineNote>
        ) : null}
        <PackageDifferences changes={changes} order={order} />
      </Wide>
      <EntryView entry={entry} />
      {actions.includes("packages-restore") ? (
        <Wide>
          <Button tone="secondary" aria-expanded={isRestoring} onClick={() => setRestoring(!isRestoring)}>
            <Trans>Put on sale again</Trans>
          </Button>
        </Wide>
      ) : null}
      {isRestoring ? (
        <Wide>
          <ChangePanel
            command="packages-restore"
            args={[String(id)]}
            title={t`Put version ${id} on sale again`}
            onClose={() => setRestoring(false)}
          />
        </Wide>
      ) : null}
    </>
  );
}
