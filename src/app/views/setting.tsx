/** Settings: the way out. Specification, section 2 (setting). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { UserRound } from "lucide-react";
import { useApp } from "../app.ts";
import { Button } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { Row, RowBody, Rows } from "../parts/rows.tsx";

export function Setting() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { session } = useApp();
  const userName = useSelector(session, ({ context }) => context.userName);
  const busy = useSelector(session, (snapshot) => snapshot.hasTag("busy"));
  return (
    <Page
      title={<Trans>Settings</Trans>}
      backLabel={t`Back`}
      onBack={() => void navigate({ to: "/personal_info" })}
      foot={
        <Button tone="danger" busy={busy} onClick={() => session.send({ type: "logout.asked" })}>
          <Trans>Log out</Trans>
        </Button>
      }
    >
      <Rows>
        <Row>
          <RowBody
            icon={<UserRound aria-hidden="true" />}
            label={<Trans>Account</Trans>}
            value={<span translate="no">{userName}</span>}
          />
        </Row>
      </Rows>
    </Page>
  );
}
