/** Deleting the account: what is deleted, what is kept and for how long, and the password. Decision 32. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { useId } from "react";
import { styled } from "styled-components";
import { accountDeletionMachine } from "../../../machines/account-deletion.ts";
import { useApp, useChart } from "../runtime/hooks.ts";
import { ActionFoot } from "../components/action-foot.tsx";
import { ConfirmingPassword } from "../components/confirming-password.tsx";
import { FormError } from "../components/form-error.tsx";
import { readForm } from "../components/forms.ts";
import { useBack } from "../components/link.tsx";
import { AccountName } from "../components/new-password-fields.tsx";
import { Card } from "../ui/card.tsx";
import { Page } from "../ui/page.tsx";
import { Stack } from "../ui/stack.tsx";
import { Lead } from "../ui/text.tsx";

/** Short lines; the first says whether they name what is deleted or what is kept. */
const Points = styled.ul`
  display: grid;
  gap: 8px;
  margin-block-start: 8px;
  padding-inline-start: 1.15em;
  list-style: disc;
  color: var(--soft);
  font-size: var(--size-14);

  li::marker {
    color: var(--faint);
  }
`;

export default function DeleteAccount() {
  const { t } = useLingui();
  const form = useId();
  const back = useBack({ to: "settings" });
  const deletion = useChart(accountDeletionMachine);
  const formError = useSelector(deletion, ({ context }) => context.formError);
  const userName = useSelector(useApp().session, ({ context }) => context.userName);
  return (
    <Page
      large
      title={<Trans>Delete my account</Trans>}
      lead={<Trans>This cannot be undone, by us either.</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        <ActionFoot actor={deletion} form={form} tone="danger">
          <Trans>Delete for good</Trans>
        </ActionFoot>
      }
    >
      <form
        method="post"
        id={form}
        noValidate
        onSubmit={(event) => deletion.send({ type: "form.submitted", ...readForm(event, "password") })}
        onInput={() => deletion.send({ type: "form.edited" })}
      >
        <AccountName value={userName} />
        <Stack>
          <Card>
            <Lead>
              <Trans>Deleted right away</Trans>
            </Lead>
            <Points>
              <li>
                <Trans>Your account name, password, security question and profile</Trans>
              </li>
              <li>
                <Trans>All log-ins, on every device</Trans>
              </li>
              <li>
                <Trans>The rest of your membership; it is not refunded</Trans>
              </li>
            </Points>
          </Card>
          <Card>
            <Lead>
              <Trans>Kept</Trans>
            </Lead>
            <Points>
              <li>
                <Trans>Your orders and payments, without your name, for our accounts</Trans>
              </li>
              <li>
                <Trans>
                  Records of log-ins, and notices about your account to the VPN system, for 90 days
                </Trans>
              </li>
              <li>
                <Trans>Notes by customer support about changes it made for you</Trans>
              </li>
            </Points>
          </Card>
          <ConfirmingPassword formError={formError} />
          <FormError error={formError} />
        </Stack>
      </form>
    </Page>
  );
}
