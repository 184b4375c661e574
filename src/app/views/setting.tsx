/** Settings: the account's own pages, and the way out. Specification, section 2 (setting). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { KeyRound, ShieldQuestionMark, UserRound } from "lucide";
import { useApp } from "../app.ts";
import { createLink, useBack } from "../link.tsx";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { Row, RowAnchor, RowContent, Rows } from "../parts/rows.tsx";

const RowLink = createLink(RowAnchor);

export function Setting() {
  const { t } = useLingui();
  const back = useBack({ to: "/personal_info" });
  const { session } = useApp();
  const busy = useSelector(session, (snapshot) => snapshot.hasTag("busy"));
  return (
    <Page
      title={<Trans>Settings</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        <Button tone="danger" busy={busy} onClick={() => session.send({ type: "logout.asked" })}>
          <Trans>Log out</Trans>
        </Button>
      }
    >
      <Rows style={{ ["--row-inset" as string]: "50px" }}>
        <Row>
          <RowLink to="/personalInformation">
            <RowContent
              icon={<Icon of={UserRound} />}
              label={<Trans>Personal Information</Trans>}
              mark="chevron"
            />
          </RowLink>
        </Row>
        <Row>
          <RowLink to="/changePassword">
            <RowContent icon={<Icon of={KeyRound} />} label={<Trans>Change Password</Trans>} mark="chevron" />
          </RowLink>
        </Row>
        <Row>
          <RowLink to="/modifyPassword">
            <RowContent
              icon={<Icon of={ShieldQuestionMark} />}
              label={<Trans>Fill in confidentiality</Trans>}
              note={<Trans>For resetting a forgotten password</Trans>}
              mark="chevron"
            />
          </RowLink>
        </Row>
      </Rows>
    </Page>
  );
}
