/** The member's own particulars. Specification, section 2 (personalInformation). */
import { Trans, useLingui } from "@lingui/react/macro";
import { shallowEqual, useSelector } from "@xstate/react";
import { useId } from "react";
import type { ActorRefFrom } from "xstate";
import { dayChoices, readDay } from "../../../machines/dates.ts";
import { profileMachine, type Sex } from "../../../machines/profile.ts";
import { useApp, useChart, usePageShown } from "../app.ts";
import { dayParts, formatCalendarDay } from "../format.ts";
import { readForm } from "../forms.ts";
import { useBack } from "../link.tsx";
import { DateWheels } from "../parts/date-wheels.tsx";
import { Field, PickField } from "../parts/field.tsx";
import { Page } from "../parts/page.tsx";
import { PickerSheet } from "../parts/picker-sheet.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Stack } from "../parts/stack.tsx";
import { Wheel } from "../parts/wheel.tsx";
import { ActionFoot } from "./action-foot.tsx";
import { Reading } from "./reading.tsx";

type ProfileRef = ActorRefFrom<typeof profileMachine>;

export function PersonalInformation() {
  const { t, i18n } = useLingui();
  const form = useId();
  const back = useBack({ to: "/setting" });
  const { today } = useApp();
  const profile = useChart(profileMachine, { input: { today: today() } });
  usePageShown(profile);
  const particulars = useSelector(profile, ({ context }) => context.particulars);
  const sex = useSelector(profile, ({ context }) => context.sex);
  const birthDate = useSelector(profile, ({ context }) => context.birthDate);
  const day = readDay(birthDate ?? "");
  const words: Record<Sex, string> = { man: t`Male`, woman: t`Female` };
  return (
    <Page
      title={<Trans>Personal Information</Trans>}
      backLabel={t`Back`}
      onBack={back}
      foot={
        particulars ? (
          <ActionFoot actor={profile} form={form}>
            <Trans>Confirm</Trans>
          </ActionFoot>
        ) : null
      }
    >
      <Reading actor={profile}>
        {[1, 2, 3, 4].map((one) => (
          <Skeleton key={one} height="82px" />
        ))}
      </Reading>
      {particulars ? (
        <form
          id={form}
          noValidate
          onSubmit={(event) => profile.send({ type: "form.submitted", ...readForm(event, "name") })}
        >
          <Stack>
            <Field
              label={<Trans>Account number</Trans>}
              value={particulars.account_name}
              readOnly
              translate="no"
            />
            <Field
              label={<Trans>Nickname</Trans>}
              name="name"
              autoComplete="nickname"
              enterKeyHint="done"
              maxLength={64}
              placeholder={t`What should we call you?`}
              defaultValue={particulars.name ?? ""}
            />
            <PickField
              label={<Trans>Gender</Trans>}
              placeholder={t`Please select`}
              value={sex === null ? null : words[sex]}
              onClick={() => profile.send({ type: "sex.asked" })}
            />
            <PickField
              label={<Trans>Date of birth</Trans>}
              placeholder={t`Please select`}
              value={day === null ? null : formatCalendarDay(day, i18n.locale)}
              onClick={() => profile.send({ type: "date.asked" })}
            />
          </Stack>
        </form>
      ) : null}
      <SexSheet profile={profile} words={words} />
      <DateSheet profile={profile} />
    </Page>
  );
}

function SexSheet({ profile, words }: { profile: ProfileRef; words: Record<Sex, string> }) {
  const { t } = useLingui();
  const open = useSelector(profile, (snapshot) => snapshot.matches({ editing: "choosingSex" }));
  const value = useSelector(profile, ({ context }) => context.draft.sex);
  const options: { value: Sex; label: string }[] = [
    { value: "man", label: words.man },
    { value: "woman", label: words.woman },
  ];
  return (
    <PickerSheet
      open={open}
      title={<Trans>Gender</Trans>}
      cancelLabel={t`Close`}
      confirmLabel={<Trans>Confirm</Trans>}
      onCancel={() => profile.send({ type: "sheet.dismissed" })}
      onConfirm={() => profile.send({ type: "sheet.confirmed" })}
    >
      <Wheel
        label={t`Gender`}
        options={options}
        value={value}
        onChange={(chosen) => profile.send({ type: "sex.turned", sex: chosen === "woman" ? "woman" : "man" })}
      />
    </PickerSheet>
  );
}

function DateSheet({ profile }: { profile: ProfileRef }) {
  const { t, i18n } = useLingui();
  const open = useSelector(profile, (snapshot) => snapshot.matches({ editing: "choosingDate" }));
  const date = useSelector(profile, ({ context }) => context.draft.date, shallowEqual);
  const span = useSelector(profile, ({ context }) => context.span);
  const { order, format } = dayParts(i18n.locale);
  return (
    <PickerSheet
      open={open}
      title={<Trans>Date of birth</Trans>}
      cancelLabel={t`Close`}
      confirmLabel={<Trans>Confirm</Trans>}
      onCancel={() => profile.send({ type: "sheet.dismissed" })}
      onConfirm={() => profile.send({ type: "sheet.confirmed" })}
    >
      <DateWheels
        value={date}
        choices={dayChoices(date, span)}
        onTurn={(part, to) => profile.send({ type: "date.turned", part, to })}
        order={order}
        labels={{ year: t`Year`, month: t`Month`, day: t`Day` }}
        format={format}
      />
    </PickerSheet>
  );
}
