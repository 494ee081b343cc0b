import { Buffer } from 'node:buffer';
import { type Keyring, KeyringError } from '../../storage/index.ts';
import type { Session } from './session.ts';

/** Somebody has been sent to their provider; it is nowhere but in a cookie of theirs, sealed. */
export interface SignInFlow {
  /** What the provider has to send back. */
  readonly proof: string;
  /** The organization to whose provider; absent: to that of the server. */
  readonly provider?: string;
  /** Where they wanted to go, below `/app`. */
  readonly to: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  /** Of somebody who is asked once more: the session that they have. The browser keeps its cookie back on the way here. */
  readonly before?: Session;
}

/** @limit a sign-in at a provider, ms -> begin again */
export const FLOW_MS = 10 * 60_000;
const CONTEXT = 'console-sign-in';
/** @limit the cookie of a sign-in at a provider, characters -> begin again */
const MAX_TEXT = 3_800;

/** Undefined for one that no browser would keep. */
export function sealFlow(keyring: Keyring, flow: SignInFlow): string | undefined {
  const text = Buffer.from(keyring.encrypt(Buffer.from(JSON.stringify(flow)), CONTEXT)).toString('base64url');
  return text.length > MAX_TEXT ? undefined : text;
}

/** Undefined for what we have not sealed, and for one that took too long. */
export function openFlow(keyring: Keyring, text: string, now: number): SignInFlow | undefined {
  if (text.length > MAX_TEXT) return undefined;
  try {
    const flow: SignInFlow = JSON.parse(
      Buffer.from(keyring.decrypt(Buffer.from(text, 'base64url'), CONTEXT)).toString(),
    );
    return flow.endsAt > now ? flow : undefined;
  } catch (error) {
    if (error instanceof KeyringError) return undefined;
    throw error;
  }
}

/** @limit where a sign-in leads back to, characters -> to the first page */
const LONGEST_PLACE = 1_500;

/** A place below `/app`; the first page for anything else. What is in front of it keeps it on this host. */
export function placeOf(to: unknown): string {
  return typeof to === 'string' && to.length <= LONGEST_PLACE && /^\/[\x21-\x7e]*$/.test(to) ? to : '/';
}
