/** The plays of the flows that matter most, in real Chromium in front of the real service. */
import { drive } from "../support/play.ts";
import { handOn } from "../support/browser-hand.ts";
import { login } from "../models/login.ts";
import { openHouse } from "./support.ts";
import { beforeAll } from "vitest";

const house = openHouse();

beforeAll(async () => void (await house.service.join("anna")));

/** Answers that a play withholds or refuses. */
const foreseen = /ERR_FAILED|ERR_ABORTED/;

drive(login, async () => handOn(await house.phone({ foreseen }), "/login", login));
