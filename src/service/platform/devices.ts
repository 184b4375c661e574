/** A coarse name for what a session was opened with: one of these words, or nothing. What a browser says of itself is not kept. */

/** In this order, because nearly all of them also call themselves Safari, and most of them Chrome. */
const browsers = [
  ["WeChat", /MicroMessenger/],
  ["Edge", /\bEdg(?:A|iOS)?\//],
  ["Opera", /\bOP[RT]\//],
  ["Samsung Internet", /SamsungBrowser/],
  ["UC Browser", /\bUC?Browser/],
  ["QQ Browser", /QQBrowser/],
  ["Huawei Browser", /HuaweiBrowser|ArkWeb/],
  ["Mi Browser", /MiuiBrowser/],
  ["Firefox", /Firefox\/|FxiOS/],
  ["Chrome", /Chrome\/|CriOS/],
  ["Safari", /Safari\//],
] as const;

/** An iPad calls itself a Mac unless it is told otherwise. */
const devices = [
  ["iPhone", /iPhone|iPod/],
  ["iPad", /iPad/],
  ["HarmonyOS", /Harmony/],
  ["Android", /Android/],
  ["Windows", /Windows NT/],
  ["Mac", /Macintosh/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /Linux/],
] as const;

export type Browser = (typeof browsers)[number][0];
export type Device = (typeof devices)[number][0];

const firstIn = <Name extends string>(
  names: readonly (readonly [Name, RegExp])[],
  text: string,
): Name | null => names.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

/** @param agent the header User-Agent; "" where there is none */
export const deviceOf = (agent: string): { browser: Browser | null; device: Device | null } => ({
  browser: firstIn(browsers, agent),
  device: firstIn(devices, agent),
});
