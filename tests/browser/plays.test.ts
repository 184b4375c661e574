/** The plays of the flows that matter most, in real Chromium in front of the real service. */
import { drive } from "../support/play.ts";
import { handOn } from "../support/browser-hand.ts";
import { login } from "../models/login.ts";
import { forgetful, recovery } from "../models/recovery.ts";
import { register } from "../models/register.ts";
import { paths } from "../../src/contract/calls.ts";
import { openHouse } from "./support.ts";
import { beforeAll } from "vitest";

const house = openHouse();

beforeAll(async () => {
  const { service } = house;
  await service.join("anna");
  const { token } = await service.join(forgetful.name);
  const { data: questions } = await service.call<string[]>(paths.securityProblems);
  const answer = { security_problem: questions[0], security_problem_value: forgetful.answer };
  await service.call(paths.saveSecurityProblem, answer, token);
});

/** Answers that a play withholds or refuses. */
const foreseen = /ERR_FAILED|ERR_ABORTED/;

drive(login, async () => handOn(await house.phone({ foreseen }), "/login", login));
drive(register, async () => handOn(await house.phone({ foreseen }), "/register", register));
drive(recovery, async () => handOn(await house.phone({ foreseen }), "/forgetPasswordUserName", recovery));
