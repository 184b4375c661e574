/** The bottom popup of the personal centre: how a chosen package is paid. Specification, section 2 (personal_info). */
import { Trans, useLingui } from "@lingui/react/macro";
import { useSelector } from "@xstate/react";
import { CreditCard, SquareArrowOutUpRight, WalletCards } from "lucide";
import type { ActorRefFrom } from "xstate";
import type { catalogueMachine } from "../../../machines/catalogue.ts";
import { Icon } from "../ui/icon.tsx";
import { Row, RowButton, RowContent, Rows } from "../ui/rows.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Stack } from "../ui/stack.tsx";
import { Note } from "../ui/text.tsx";
import { SlowNotice } from "./slow-notice.tsx";

/** A component of its own, so that opening the sheet rerenders no package. */
export function PaymentMethodSheet({ catalogue }: { catalogue: ActorRefFrom<typeof catalogueMachine> }) {
  const { t } = useLingui();
  const open = useSelector(catalogue, (snapshot) => snapshot.matches("choosingMethod"));
  const slow = useSelector(catalogue, (snapshot) => snapshot.hasTag("slow"));
  const methods = useSelector(catalogue, ({ context }) => context.methods);
  const words = {
    EbPay: {
      label: "USDT",
      note: t`TRC20 or ERC20, from any wallet`,
      icon: <Icon of={WalletCards} />,
    },
    Razorpay: {
      label: t`Card`,
      note: t`Visa, Mastercard and others`,
      icon: <Icon of={CreditCard} />,
    },
    Stripe: {
      label: "Stripe",
      note: t`Card, on Stripe’s page in a new window`,
      icon: <Icon of={SquareArrowOutUpRight} />,
    },
  };
  return (
    <Sheet
      open={open}
      title={<Trans>How would you like to pay?</Trans>}
      closeLabel={t`Close`}
      onClose={() => catalogue.send({ type: "methods.dismissed" })}
    >
      {methods === null ? (
        <Stack>
          <div aria-busy={open}>
            <Skeleton height="64px" />
          </div>
          <SlowNotice shown={slow} onGoOn={() => catalogue.send({ type: "methods.dismissed" })}>
            <Trans>Stop waiting</Trans>
          </SlowNotice>
        </Stack>
      ) : (
        <Rows data-bare="">
          {methods.map((method) => (
            <Row key={method}>
              <RowButton onClick={() => catalogue.send({ type: "method.chosen", method })}>
                <RowContent
                  icon={words[method].icon}
                  label={words[method].label}
                  note={words[method].note}
                  mark="chevron"
                />
              </RowButton>
            </Row>
          ))}
          {methods.length === 0 ? (
            <Row>
              <Note>
                <Trans>No payment method is available right now. Please try again later.</Trans>
              </Note>
            </Row>
          ) : null}
        </Rows>
      )}
    </Sheet>
  );
}
