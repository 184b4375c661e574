/** Settings: links to the account's screens, and logout. Specification, section 2 (setting). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { KeyRound, MonitorSmartphone, ShieldQuestionMark, UserRound, UserX } from "lucide";
import { useApp } from "../runtime/hooks.ts";
import { linkWith, useBack } from "../components/link.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { Row, RowAnchor, RowContent, Rows } from "../ui/rows.tsx";

const RowLink = linkWith(RowAnchor);

export default function Settings() {
  const { t } = useLingui();
  const back = useBack({ to: "account" });
  const { session } = useApp();
  const busy = useSelector(session, (snapshot) => snapshot.hasTag("busy"));
  return (
    <Page
      title={<Trans>Settings</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        <Button tone="danger" busy={busy} onClick={() => session.send({ type: "logout.requested" })}>
          <Trans>Log out</Trans>
        </Button>
      }
    >
      <Rows style={{ ["--row-inset" as string]: "50px" }}>
        <Row>
          <RowLink to="profile">
            <RowContent
              icon={<Icon of={UserRound} />}
              label={<Trans>Personal Information</Trans>}
              mark="chevron"
            />
          </RowLink>
        </Row>
        <Row>
          <RowLink to="changePassword">
            <RowContent icon={<Icon of={KeyRound} />} label={<Trans>Change Password</Trans>} mark="chevron" />
          </RowLink>
        </Row>
        <Row>
          <RowLink to="securityQuestion">
            <RowContent
              icon={<Icon of={ShieldQuestionMark} />}
              label={<Trans>Fill in confidentiality</Trans>}
              note={<Trans>For resetting a forgotten password</Trans>}
              mark="chevron"
            />
          </RowLink>
        </Row>
        <Row>
          <RowLink to="sessions">
            <RowContent
              icon={<Icon of={MonitorSmartphone} />}
              label={<Trans>Logged-in devices</Trans>}
              mark="chevron"
            />
          </RowLink>
        </Row>
        <Row>
          <RowLink to="deleteAccount">
            <RowContent icon={<Icon of={UserX} />} label={<Trans>Delete my account</Trans>} mark="chevron" />
          </RowLink>
        </Row>
      </Rows>
    </Page>
  );
}
