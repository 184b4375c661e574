/** A device that keeps passkeys, in Node: it makes one, and signs with it, by WebAuthn level 2. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

/* CBOR (RFC 8949), as far as an authenticator needs it. */
const head = (major: number, value: number) =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytesOf = (bytes: Uint8Array) => Buffer.concat([head(2, bytes.length), bytes]);
const textOf = (text: string) => Buffer.concat([head(3, text.length), Buffer.from(text)]);
const mapOf = (entries: readonly (readonly [key: Buffer, value: Buffer])[]) =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);

/** The key as COSE writes it: elliptic, for ES256, on P-256. */
function coseOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const coordinate = (text: string) => bytesOf(Buffer.from(text, "base64url"));
  return mapOf([
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), coordinate(x)],
    [integer(-3), coordinate(y)],
  ]);
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

/** @param origin where its browser is */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let counter = 0;
  const host = new URL(origin).hostname;
  const clientData = (type: string, challenge: string, at = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }));
  const authenticatorData = (flags: number, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, rest]);
  };
  const answer = (response: Record<string, Uint8Array>) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: "public-key",
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, base64url(bytes)])),
  });
  return {
    /** Makes its passkey. */
    register(challenge: string, { isVerified = true, at = origin } = {}) {
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)]);
      const flags = PRESENT | WITH_KEY | (isVerified ? VERIFIED : 0);
      return answer({
        clientDataJSON: clientData("webauthn.create", challenge, at),
        attestationObject: mapOf([
          [textOf("fmt"), textOf("none")],
          [textOf("attStmt"), mapOf([])],
          [textOf("authData"), bytesOf(authenticatorData(flags, attested))],
        ]),
      });
    },
    /** Signs with it. @param counts false: as a copy that counts no further */
    prove(challenge: string, { isVerified = true, at = origin, counts = true } = {}) {
      if (counts) counter += 1;
      const data = clientData("webauthn.get", challenge, at);
      const signed = authenticatorData(PRESENT | (isVerified ? VERIFIED : 0));
      return answer({
        clientDataJSON: data,
        authenticatorData: signed,
        signature: sign("sha256", Buffer.concat([signed, sha256(data)]), privateKey),
      });
    },
  };
}
