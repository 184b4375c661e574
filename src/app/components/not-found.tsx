/** The view of an unknown URL, with a link home. Decisions, "Names that outsiders rely on". */
import { Trans } from "@lingui/react/macro";
import { linkWith } from "./link.tsx";
import { ButtonAnchor } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { StateView } from "../ui/state-view.tsx";
import picture from "../pictures/lost.svg?no-inline";

const ButtonLink = linkWith(ButtonAnchor);

export function NotFound() {
  return (
    <Page title={<Trans>Nothing here</Trans>}>
      <StateView
        picture={<img src={picture} width={200} height={160} alt="" />}
        title={<Trans>This page does not exist</Trans>}
        actions={
          <ButtonLink to="landing">
            <Trans>Go to the home page</Trans>
          </ButtonLink>
        }
      >
        <Trans>The address may be mistyped, or the page has moved.</Trans>
      </StateView>
    </Page>
  );
}
