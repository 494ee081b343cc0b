import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';

/** Address at which a passkey is created and used: the RP ID and the origin of WebAuthn. */
export interface Place {
  /** Host name: `lock.example.com`. */
  readonly host: string;
  /** Origin: `https://lock.example.com:8200`. */
  readonly origin: string;
}

/** New passkey, as the authenticator reports it. */
export interface NewCredential {
  /** Base64url, as `publicKey`. */
  readonly credentialId: string;
  /** COSE key. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether the authenticator can copy the passkey to other devices of the user. */
  readonly isSyncable: boolean;
  readonly isSynced: boolean;
}

/** Known passkey to which a response must belong. */
export interface KnownCredential {
  readonly credentialId: string;
  readonly publicKey: string;
}

/** Use of a passkey. */
export interface Use {
  readonly counter: number;
  readonly isSynced: boolean;
}

/** Response of an authenticator that was not accepted. */
export class CeremonyFault extends Error {
  /** Check that failed: `type`, `challenge`, `origin`, `attestation`, or `response` for any other. */
  readonly check: string;

  constructor(check: string) {
    super(`the response of the authenticator was not accepted: ${check}`);
    this.check = check;
  }
}

/** Duration of a ceremony in the browser, milliseconds. */
export const CEREMONY_MS = 5 * 60_000;

// ES256, EdDSA and RS256: the keys that authenticators have today.
const ALGORITHMS = [-7, -8, -257];
const NAME = 'Lockkeeper';

/** The package is loaded on demand, because it is large. */
const webauthn = () => import('@simplewebauthn/server');

export const newChallenge = (): string => randomBytes(32).toString('base64url');

/** Returns the options for `navigator.credentials.create`. */
export async function creationOptions(
  { host }: Place,
  challenge: string,
  user: { readonly id: string; readonly name: string },
  known: readonly string[],
): Promise<object> {
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    ...{ rpName: NAME, rpID: host, userName: user.name, userDisplayName: user.name },
    userID: new TextEncoder().encode(user.id),
    challenge: bytesOf(challenge),
    timeout: CEREMONY_MS,
    attestationType: 'none',
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Returns the options for `navigator.credentials.get`. The authenticator offers the passkeys of the host. */
export async function requestOptions({ host }: Place, challenge: string): Promise<object> {
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    ...{ rpID: host, challenge: bytesOf(challenge), timeout: CEREMONY_MS },
    userVerification: 'required',
  });
}

/**
 * Verifies a new passkey.
 * @throws CeremonyFault
 */
export async function verifyCreation(response: unknown, challenge: string, place: Place): Promise<NewCredential> {
  checkClientData(response, { type: 'webauthn.create', challenge, origin: place.origin });
  const { verifyRegistrationResponse } = await webauthn();
  await checkAttestation(response);
  const { verified, registrationInfo } = await accepted(() =>
    verifyRegistrationResponse({
      response: response as never,
      ...{ expectedChallenge: challenge, expectedOrigin: place.origin, expectedRPID: place.host },
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!verified) throw new CeremonyFault('response');
  const { credential, credentialBackedUp, credentialDeviceType } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: transportsOf(response),
    isSyncable: credentialDeviceType === 'multiDevice',
    isSynced: credentialBackedUp,
  };
}

/**
 * Verifies that the authenticator has the private key, and that it verified its user.
 * @throws CeremonyFault
 */
export async function verifyUse(
  response: unknown,
  challenge: string,
  place: Place,
  { credentialId: id, publicKey }: KnownCredential,
): Promise<Use> {
  checkClientData(response, { type: 'webauthn.get', challenge, origin: place.origin });
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await accepted(() =>
    verifyAuthenticationResponse({
      response: response as never,
      ...{ expectedChallenge: challenge, expectedOrigin: place.origin, expectedRPID: place.host },
      // The caller compares the counter, and only after the signature: otherwise anybody could report a clone.
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: -1 },
      requireUserVerification: true,
    }),
  );
  if (!verified) throw new CeremonyFault('response');
  return { counter: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp };
}

/** Returns the credential and the user that the response names; empty texts if it names none. */
export function namedIn(response: unknown): { readonly credentialId: string; readonly userId: string } {
  const { id, response: inner } = partsOf(response);
  const handle = partsOf(inner).userHandle;
  return { credentialId: textOf(id), userId: Buffer.from(textOf(handle), 'base64url').toString() };
}

/** Tells the checks apart that an attack fails, for the log. The package repeats them. */
function checkClientData(response: unknown, expected: Readonly<Record<'type' | 'challenge' | 'origin', string>>) {
  const { clientDataJSON } = partsOf(partsOf(response).response);
  const data = readJson(Buffer.from(textOf(clientDataJSON), 'base64url').toString());
  for (const check of ['type', 'challenge', 'origin'] as const) {
    if (data[check] !== expected[check]) throw new CeremonyFault(check);
  }
  // A page of another site that embeds ours is never ours.
  if (data.crossOrigin === true) throw new CeremonyFault('origin');
}

/**
 * The server asks for no attestation. Others are refused before they are verified: a certificate in them would name
 * URLs to fetch.
 */
async function checkAttestation(response: unknown): Promise<void> {
  const { attestationObject } = partsOf(partsOf(response).response);
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const object = await accepted(async () =>
    decodeAttestationObject(new Uint8Array(Buffer.from(textOf(attestationObject), 'base64url'))),
  );
  const format = object.get('fmt');
  const isSelf = format === 'packed' && object.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isSelf) throw new CeremonyFault('attestation');
}

/** Anything that the package throws is about the response. */
async function accepted<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    throw new CeremonyFault('response');
  }
}

const KNOWN_TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

function transportsOf(response: unknown): string[] {
  const { transports } = partsOf(partsOf(response).response);
  return Array.isArray(transports) ? [...new Set(transports)].filter((one) => KNOWN_TRANSPORTS.has(one)) : [];
}

const bytesOf = (challenge: string) => new Uint8Array(Buffer.from(challenge, 'base64url'));
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const partsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return partsOf(JSON.parse(text));
  } catch {
    return {};
  }
}
