/** Bootstrap of the personal center's page: shows the membership that this browser last knew of, until the app has asked. Decision 13. */
import { name, ready } from "./bootstrap.ts";
// oxlint-disable-next-line import/no-unassigned-import -- what every frame does
import "./bootstrap-frame.ts";
import { blankMembership, fillTexts, MEMBERSHIP_ID, readKept } from "./bootstrap-shared.ts";
import { formatDay } from "../components/format.ts";
import { jsonIn, membershipIn } from "../ports/stored-values.ts";

void ready.then((shown) => {
  const template = document.getElementById(MEMBERSHIP_ID);
  const kept = jsonIn(readKept("membership"), membershipIn);
  if (!shown || !(template instanceof HTMLTemplateElement) || kept?.accountName !== name) return;
  fillTexts(template.content, {
    [blankMembership.pack_name]: kept.pack_name,
    [blankMembership.pack_exp_date]: formatDay(kept.pack_exp_date, document.documentElement.lang),
  });
  template.previousElementSibling?.replaceWith(template.content);
});
