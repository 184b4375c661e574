/** The account was created, but logging in failed. Specification, section 2 (registerSuccess). */
import { Trans } from "@lingui/react/macro";
import { linkWith } from "../components/link.tsx";
import { ButtonAnchor } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { StateView } from "../ui/state-view.tsx";
import picture from "../pictures/welcome.svg";

const ButtonLink = linkWith(ButtonAnchor);

export default function RegisterSuccess() {
  return (
    <Page
      title={<Trans>Account created</Trans>}
      foot={
        <ButtonLink to="login">
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
