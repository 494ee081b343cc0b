import { createHash } from 'node:crypto';
import type { Keyring } from '../../storage/index.ts';
import { opened, sealed } from './sealed-cookie.ts';

/** Use for which the browser got a challenge. */
export type CeremonyPurpose = 'sign-in' | 'registration' | 'account';

/** Challenge that a browser has to answer with a passkey. It is stored only in a cookie, encrypted. */
export interface Ceremony {
  readonly purpose: CeremonyPurpose;
  readonly challenge: string;
  /** Hash of the secret to which the challenge is bound: the token of the session, or an invitation. */
  readonly bound: string;
  /** Details for the end of the ceremony. */
  readonly details: Readonly<Record<string, string>>;
  /** Expiry, milliseconds since 1970. */
  readonly endsAt: number;
}

/** @limit time to answer the question for a passkey, ms -> the user has to start again */
export const CEREMONY_MS = 5 * 60_000;
const CONTEXT = 'console-passkey';

/** Returns what binds a challenge to a secret; without a secret it is bound to the browser only. */
export const boundTo = (secret: string | undefined): string =>
  secret === undefined ? '' : createHash('sha256').update(secret).digest('base64url');

/** Returns undefined if the result is too long for a cookie. */
export const sealCeremony = (keyring: Keyring, ceremony: Ceremony): string | undefined =>
  sealed(keyring, CONTEXT, ceremony);

/** Returns undefined for a text that this server did not encrypt, and for an expired ceremony. */
export const openCeremony = (keyring: Keyring, text: string | undefined, now: number): Ceremony | undefined =>
  text === undefined ? undefined : opened<Ceremony>(keyring, CONTEXT, text, now);
