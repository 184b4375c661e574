/** The member's profile. Specification, section 2 (personalInformation). */
import { Trans, useLingui } from "@lingui/react/macro";
import { shallowEqual, useSelector } from "@xstate/react";
import { useId } from "react";
import type { ActorRefFrom } from "xstate";
import { dayChoices, readDay } from "../../../machines/dates.ts";
import { profileMachine, type Sex } from "../../../machines/profile.ts";
import { useApp, useChart, useScreenActivated } from "../runtime/hooks.ts";
import { dayParts, formatCalendarDay } from "../components/format.ts";
import { readForm } from "../components/forms.ts";
import { useBack } from "../components/link.tsx";
import { DateWheels } from "../ui/date-wheels.tsx";
import { Field, PickField } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { PickerSheet } from "../ui/picker-sheet.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Stack } from "../ui/stack.tsx";
import { Wheel } from "../ui/wheel.tsx";
import { ActionFoot } from "../components/action-foot.tsx";
import { AsyncContent } from "../components/async-content.tsx";
import { FormError } from "../components/form-error.tsx";

type ProfileRef = ActorRefFrom<typeof profileMachine>;

export default function Profile() {
  const { t, i18n } = useLingui();
  const form = useId();
  const back = useBack({ to: "settings" });
  const { today } = useApp();
  const profile = useChart(profileMachine, { input: { today: today() } });
  useScreenActivated(profile);
  const particulars = useSelector(profile, ({ context }) => context.particulars);
  const sex = useSelector(profile, ({ context }) => context.sex);
  const birthDate = useSelector(profile, ({ context }) => context.birthDate);
  const formError = useSelector(profile, ({ context }) => context.formError);
  /** The API's message. */
  const refusedFor = (name: "name" | "sex" | "birth_date") =>
    formError?.fields.includes(name) ? formError.message : undefined;
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
      <AsyncContent actor={profile}>
        {[1, 2, 3, 4].map((one) => (
          <Skeleton key={one} height="82px" />
        ))}
      </AsyncContent>
      {particulars ? (
        <form
          method="post"
          id={form}
          noValidate
          onSubmit={(event) => profile.send({ type: "form.submitted", ...readForm(event, "name") })}
          onInput={() => profile.send({ type: "form.edited" })}
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
              autoCorrect="off"
              spellCheck={false}
              enterKeyHint="done"
              maxLength={64}
              placeholder={t`What should we call you?`}
              defaultValue={particulars.name ?? ""}
              error={refusedFor("name")}
            />
            <PickField
              label={<Trans>Gender</Trans>}
              placeholder={t`Please select`}
              value={sex === null ? null : words[sex]}
              error={refusedFor("sex")}
              onClick={() => profile.send({ type: "sex.requested" })}
            />
            <PickField
              label={<Trans>Date of birth</Trans>}
              placeholder={t`Please select`}
              value={day === null ? null : formatCalendarDay(day, i18n.locale)}
              error={refusedFor("birth_date")}
              onClick={() => profile.send({ type: "date.requested" })}
            />
            <FormError error={formError} />
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
