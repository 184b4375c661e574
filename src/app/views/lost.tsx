/** An address that leads nowhere says so, and shows the way home. Decisions, "Names that outsiders rely on". */
import { Trans } from "@lingui/react/macro";
import { createLink } from "../link.tsx";
import { ButtonAnchor } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { StateView } from "../parts/state-view.tsx";
import picture from "../pictures/lost.svg?no-inline";

const ButtonLink = createLink(ButtonAnchor);

export function Lost() {
  return (
    <Page title={<Trans>Nothing here</Trans>}>
      <StateView
        picture={<img src={picture} width={200} height={160} alt="" />}
        title={<Trans>This page does not exist</Trans>}
        actions={
          <ButtonLink to="/home">
            <Trans>Go to the home page</Trans>
          </ButtonLink>
        }
      >
        <Trans>The address may be mistyped, or the page has moved.</Trans>
      </StateView>
    </Page>
  );
}
