/** The account exists, but logging in by itself did not work. Specification, section 2 (registerSuccess). */
import { Trans } from "@lingui/react/macro";
import { createLink } from "../link.tsx";
import { ButtonAnchor } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { StateView } from "../parts/state-view.tsx";
import picture from "../pictures/welcome.svg";

const ButtonLink = createLink(ButtonAnchor);

export function RegisterSuccess() {
  return (
    <Page
      title={<Trans>Account created</Trans>}
      foot={
        <ButtonLink to="/login">
          <Trans>Log in</Trans>
        </ButtonLink>
      }
    >
      <StateView
        role="status"
        picture={<img src={picture} width={200} height={160} alt="" />}
        title={<Trans>Your account is ready</Trans>}
      >
        <Trans>Log in with the account name and the password you have just chosen.</Trans>
      </StateView>
    </Page>
  );
}
