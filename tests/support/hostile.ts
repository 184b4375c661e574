/** Hostile requests as fast-check arbitraries: values, bodies of three kinds, headers, paths and bytes that are no HTTP at all. */
import * as fc from "fast-check";

/** A value that only the run knows, found by its key when the request is sent. */
export class Remembered {
  readonly key: string;
  constructor(key: string) {
    this.key = key;
  }
}

/** Where this stands in a page as it was sent, the page would run it. */
export const SCRIPT = "<script>alert(document.cookie)</script>";

const TEXTS = [
  "",
  " ",
  "\t\r\n",
  "NaN",
  "-Infinity",
  "1e309",
  "-0",
  "0x4",
  "١٢٣",
  "null",
  "undefined",
  "true",
  "[object Object]",
  "\u0000",
  "before\u0000after",
  "\u001b[31m",
  "\ud800",
  "half\udc00",
  "\u202eturned",
  "\u2066hidden\u2069",
  "\ufeff",
  "\u200d",
  "\u2800",
  "ﷺ".repeat(40),
  "İI\u0307ßẞςΣ",
  "👩‍👩‍👧‍👦🏳️‍🌈",
  "Z̸̡͎̗͗a̷͈͊l̵̹͝g̶̩̈o̷͚͐",
  "'; DROP TABLE accounts;--",
  "' OR '1'='1",
  "${7*7}{{7*7}}<%= 7*7 %>",
  "$(touch /tmp/x)`id`",
  "../../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  SCRIPT,
  `"><img src=x onerror=alert(1)>${SCRIPT}`,
  "javascript:alert(1)",
  "%s%n%x%d",
  "%00%ff%c0%af",
  "\r\nX-Evil: 1\r\n\r\n",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
];
const NUMBERS = [-1, 0, -0, 0.1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e21, 1e308, -1e308, Number.MIN_VALUE];
const KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "",
  "0",
  "length",
  "a.b",
  "a[b]",
  "\u0000",
];

const LONGEST = 20_000;
const DEEPEST = 2_000;

const nested = fc.tuple(fc.integer({ min: 1, max: DEEPEST }), fc.boolean()).map(([depth, asList]) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = asList ? [value] : { a: value };
  return value;
});

const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary" }) },
  // Any UTF-16 units, paired or not.
  {
    weight: 1,
    arbitrary: fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("a", "é", "漢", "👍", "\u0301", "0", " "), fc.integer({ min: 1, max: LONGEST }))
      .map(([unit, size]) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)),
  },
);

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...NUMBERS, null, true, false, [], {}) },
  { weight: 2, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: nested },
);

/** The entries of a body in their order: a key may come twice, or be one that objects give a meaning. */
export type Entries = readonly (readonly [string, unknown])[];

type Change = (entries: Entries) => Entries;
const at = (entries: Entries, index: number) => (entries.length === 0 ? 0 : index % entries.length);
const replaced =
  (index: number, make: (value: unknown) => unknown): Change =>
  (entries) =>
    entries.map(([key, value], place) => [key, place === at(entries, index) ? make(value) : value] as const);

/** One step away from a valid body. */
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.nat(9).map(
      (index): Change =>
        (entries) =>
          entries.toSpliced(at(entries, index), 1),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(9), hostileValue).map(([index, value]) => replaced(index, () => value)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.oneof(fc.constantFrom(...KEYS), fc.string()), hostileValue)
      .map(([key, value]): Change => (entries) => [...entries, [key, value]]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(9), hostileValue, fc.boolean())
      .map(([index, value, first]): Change => (entries) => {
        const key = entries[at(entries, index)]?.[0] ?? "";
        return first ? [[key, value], ...entries] : [...entries, [key, value]];
      }),
  },
  { weight: 1, arbitrary: fc.nat(9).map((index) => replaced(index, (value) => [value])) },
  { weight: 1, arbitrary: fc.nat(9).map((index) => replaced(index, (value) => ({ value, $ne: null }))) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(9), fc.constantFrom("[]", "[0]", ".x", " ")).map(
      ([index, suffix]): Change =>
        (entries) =>
          entries.map(
            ([key, value], place) => [place === at(entries, index) ? key + suffix : key, value] as const,
          ),
    ),
  },
);

/** Bodies near a valid one: as it is in half the cases, else one or two steps away. */
export const near = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<Entries> =>
  fc
    .tuple(
      valid,
      fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 3, arbitrary: fc.array(change, { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.array(change, { minLength: 2, maxLength: 2 }) },
      ),
    )
    .map(([body, changes]) =>
      changes.reduce<Entries>((entries, step) => step(entries), Object.entries(Object(body))),
    );

/** Entries that no schema asks for. */
export const anyEntries: fc.Arbitrary<Entries> = fc.array(
  fc.tuple(fc.oneof(fc.constantFrom(...KEYS), fc.string()), hostileValue),
  { maxLength: 4 },
);

const KINDS = ["json", "urlencoded", "multipart"] as const;
type Kind = (typeof KINDS)[number];
const BOUNDARY = "----fuzz7MA4YWxkTrZu0gW";
const TYPES: Readonly<Record<Kind, string>> = {
  json: "application/json",
  urlencoded: "application/x-www-form-urlencoded",
  multipart: `multipart/form-data; boundary=${BOUNDARY}`,
};

/** How entries become bytes. `whole` replaces all of them. */
export interface Encoding {
  kind: Kind;
  /** Null: none is sent. */
  type: string | null;
  isFile: boolean;
  whole: { value: unknown } | null;
  spoil: { how: "none" | "cut" | "flip" | "byte" | "bom" | "utf-16" | "twice"; where: number };
}

export const encoding: fc.Arbitrary<Encoding> = fc
  .record({
    kind: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Kind>("json") },
      { weight: 1, arbitrary: fc.constant<Kind>("urlencoded") },
      { weight: 1, arbitrary: fc.constant<Kind>("multipart") },
    ),
    wrong: fc.oneof(
      { weight: 14, arbitrary: fc.constant(undefined) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<string | null>(
          null,
          ...Object.values(TYPES),
          "application/json; charset=utf-16",
          "multipart/form-data",
          "multipart/form-data; boundary=",
          `multipart/form-data; boundary="${"x".repeat(300)}"`,
          "multipart/form-data; boundary=(((",
          "application/x-www-form-urlencoded; charset=\u00ff",
          "text/plain",
          "text/html",
          "application/xml",
          ", ;=",
        ),
      },
    ),
    isFile: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    whole: fc.oneof(
      { weight: 24, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: hostileValue.map((value) => ({ value })) },
    ),
    spoil: fc.record({
      how: fc.oneof(
        { weight: 40, arbitrary: fc.constant("none" as const) },
        { weight: 5, arbitrary: fc.constantFrom("cut", "flip", "byte", "bom", "utf-16", "twice") },
      ),
      where: fc.nat(),
    }),
  })
  .map(({ wrong, ...rest }) => ({ ...rest, type: wrong === undefined ? TYPES[rest.kind] : wrong }));

const jsonText = (value: unknown) => JSON.stringify(value) ?? "null";
// As forms send it: what is no text is written as JSON.
const formText = (value: unknown) => (typeof value === "string" ? value.toWellFormed() : jsonText(value));

function written(entries: Entries, { kind, isFile }: Encoding): Buffer {
  switch (kind) {
    case "json":
      return Buffer.from(`{${entries.map(([key, value]) => `${jsonText(key)}:${jsonText(value)}`).join()}}`);
    case "urlencoded":
      return Buffer.from(
        new URLSearchParams(entries.map(([key, value]) => [key.toWellFormed(), formText(value)])).toString(),
      );
    case "multipart": {
      const parts = entries.map(
        ([key, value], place) =>
          `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${key.toWellFormed().replaceAll('"', "%22")}"` +
          `${isFile && place === 0 ? '; filename="a.txt"\r\nContent-Type: text/plain' : ""}\r\n\r\n${formText(value)}\r\n`,
      );
      return Buffer.from(`${parts.join("")}--${BOUNDARY}--\r\n`);
    }
  }
}

/** The bytes of a body. */
export function encode(entries: Entries, how: Encoding): Buffer {
  const bytes = how.whole === null ? written(entries, how) : Buffer.from(jsonText(how.whole.value));
  const place = how.spoil.where % (bytes.length + 1);
  switch (how.spoil.how) {
    case "none":
      return bytes;
    case "cut":
      return bytes.subarray(0, place);
    case "flip":
      if (place < bytes.length) bytes[place] = (bytes[place] ?? 0) ^ 0x80;
      return bytes;
    case "byte":
      return Buffer.concat([
        bytes.subarray(0, place),
        Buffer.from([0xff, 0xc0, 0x00]),
        bytes.subarray(place),
      ]);
    case "bom":
      return Buffer.concat([Buffer.from("\ufeff"), bytes]);
    case "utf-16":
      return Buffer.from(bytes.toString(), "utf16le");
    case "twice":
      return Buffer.concat([bytes, bytes]);
  }
}

/** What a header may hold by the rules of HTTP. */
const headerText = fc.oneof(
  {
    weight: 3,
    arbitrary: hostileText.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "").slice(0, 4000)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("*", "*/*", ",", ";", ",,,;;;===", "q=0", "\u00e9\u00ff", "a".repeat(6000)),
  },
);

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  language: ["en", "zh-CN", "zh", "xx"],
  "Accept-Language": ["zh-CN,zh;q=0.9,en;q=0.8", "en;q=-1", "*", "zh;q=1;q=0", `${"en,".repeat(900)}zh`],
  "Idempotency-Key": [
    "key-1",
    "key-2",
    "key-3",
    "key-4",
    "key-5",
    "key 6",
    "__proto__",
    "k".repeat(255),
    "k".repeat(256),
  ],
  "X-Forwarded-For": [
    "203.0.113.7",
    "203.0.113.8, 198.51.100.9",
    "2001:db8::1",
    "[::1]:80",
    "unknown",
    ",,,",
  ],
  "X-Forwarded-Proto": ["https", "http", "javascript", "https,http"],
  Origin: ["null", "https://evil.example", "http://localhost", "file://"],
  Accept: ["text/html", "application/json", "text/html;q=0, */*"],
  "Accept-Encoding": ["br", "gzip", "identity;q=0", "br;q=0, *", "zstd"],
  "Access-Control-Request-Method": ["POST", "DELETE"],
  "Content-Encoding": ["gzip", "br", "identity"],
  "If-None-Match": ["*", '"x"', 'W/"'],
  "If-Modified-Since": ["Thu, 01 Jan 1970 00:00:00 GMT", "yesterday"],
  Range: ["bytes=0-1", "bytes=-1", "bytes=9-1", "bytes=0-1,3-4", "lines=1"],
  "Sec-Fetch-Site": ["same-origin", "none", "cross-site"],
  "Sec-Fetch-Mode": ["navigate", "cors"],
  "Sec-Fetch-Dest": ["document", "empty"],
  "X-HTTP-Method-Override": ["DELETE"],
  "X-Request-Id": ["mine"],
  "X-Razorpay-Signature": ["0".repeat(64), "sha256="],
  "X-Razorpay-Event-Id": ["evt_1", "__proto__"],
  "Stripe-Signature": ["t=1,v1=00", "t=,v1=", "v1=0,v1=0,t=99999999999999999999"],
  Cookie: ["user_token=1", "a=b; a=c"],
};

/** Headers beside those of the session and the body. */
export const headers: fc.Arbitrary<Record<string, string>> = fc
  .array(
    fc
      .constantFrom(...Object.keys(HEADERS))
      .chain((name) =>
        fc.tuple(
          fc.constant(name),
          fc.oneof(
            { weight: 3, arbitrary: fc.constantFrom(...(HEADERS[name] ?? [])) },
            { weight: 1, arbitrary: headerText },
          ),
        ),
      ),
    { maxLength: 3 },
  )
  .map((pairs) => Object.fromEntries(pairs));

/** Authorization headers that open no session; `{token}` stands for one that does. */
export const badAuthorization = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "Bearer",
      "Bearer ",
      "Bearer null",
      "Basic {token}",
      "{token}",
      "Bearer {token}x",
      "Bearer {token} {token}",
      "Bearer {token},Bearer {token}",
      "Bearer undefined",
    ),
  },
  { weight: 1, arbitrary: headerText.map((text) => `Bearer ${text}`) },
  { weight: 1, arbitrary: headerText },
);

export const method = fc.constantFrom(
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "QUERY",
  "PROPFIND",
  "LOCK",
);

const sendable = (path: string) =>
  path.replaceAll(/[^\x21-\x7e\x80-\xff]/g, (unit) => encodeURIComponent(unit.toWellFormed()));

/** Turns a path into one that is not quite it. */
export const twist: fc.Arbitrary<(path: string) => string> = fc.oneof(
  fc.constantFrom<(path: string) => string>(
    (path) => `${path}/`,
    (path) => `/${path}`,
    (path) => path.replaceAll("/", "//"),
    (path) => path.toUpperCase(),
    (path) => `${path}%00`,
    (path) => `${path}%`,
    (path) => `${path}%ff%fe`,
    (path) => `${path};jsessionid=1`,
    (path) => `/x/..${path}`,
    (path) => `/%2e%2e${path}`,
    (path) => path.replace("/", "/%2F"),
    (path) => path.replace("/", "/\\"),
    (path) => `${path}.map`,
    (path) => `${path}#part`,
    (path) => `//evil.example${path}`,
    (path) => path + "/a".repeat(2000),
  ),
  fc.tuple(fc.string(), hostileText).map(
    ([key, text]) =>
      (path: string) =>
        sendable(
          `${path}?${key.toWellFormed()}=${text.toWellFormed().slice(0, 3000)}&message=${encodeURIComponent(text.toWellFormed().slice(0, 500))}`,
        ),
  ),
  hostileText.map((text) => () => sendable(`/${text.toWellFormed().slice(0, 3000)}`)),
  hostileText.map(
    (text) => (path: string) => sendable(`${path}/${encodeURIComponent(text.toWellFormed().slice(0, 1000))}`),
  ),
);

const LINE = "POST /api/login HTTP/1.1\r\nHost: localhost\r\n";
/** Bytes on a fresh connection that are no request, or one that two readers would read differently. */
export const brokenHttp: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.0\r\n\r\n",
    "GET /\r\n\r\n",
    "GET http://evil.example/api/user/center HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
    "GET /\u0000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nNo colon\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\n folded: yes\r\n\r\n",
    `${LINE}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`,
    `${LINE}Content-Length: -1\r\n\r\n`,
    `${LINE}Content-Length: 99999999999999999999\r\n\r\n`,
    `${LINE}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${LINE}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `${LINE}Transfer-Encoding: chunked, identity\r\n\r\n`,
    `${LINE}Transfer-Encoding: chunked\r\n\r\n5;ext="${"x".repeat(20_000)}"\r\nhello\r\n0\r\n\r\n`,
    `${LINE}Expect: something\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    `${LINE}X: ${"x".repeat(40_000)}\r\n\r\n`,
    `${LINE}${"X: y\r\n".repeat(3000)}\r\n`,
  ),
  fc
    .tuple(fc.constantFrom("/", "/home", "/api/contact/url", "/config.json", "/share.png"), headerText)
    .map(([path, host]) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
  fc
    .constantFrom(
      "localhost:99999",
      "[::1",
      "a@b",
      "a/b",
      "a?b",
      "a#b",
      "%",
      "xn--",
      "..",
      "\u00ff",
      "evil.example",
    )
    .map((host) => `GET /home HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
  fc.string({ unit: "binary" }),
);
