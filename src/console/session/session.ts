import { Buffer } from 'node:buffer';
import { type Keyring, KeyringError } from '../../storage/index.ts';

/** The two APIs. */
export type SessionApiName = 'access' | 'workspaces';
export const SESSION_APIS: readonly SessionApiName[] = ['access', 'workspaces'];

/** A token that a session acts with. */
export interface Held {
  /** A secret. */
  readonly token: string;
  /** The sign-in made it, so signing out ends it. */
  readonly made: boolean;
  /** Milliseconds; of one that is on record where people see and end it. Absent: it ends with the cookie. */
  readonly endsAt?: number;
  /** The organization whose provider vouched for them. Absent: nobody, or the provider of the server. */
  readonly provider?: string;
}

/** Who is signed in: a token for each of the two APIs, or for one. It is nowhere but in the cookie, sealed. */
export interface Session {
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  readonly held: Readonly<Partial<Record<SessionApiName, Held>>>;
}

/** What the keyring seals it as. */
const CONTEXT = 'console-session';
/**
 * Browsers keep no larger cookie: name, value and attributes together have 4,096 bytes.
 * @limit the session cookie, characters -> 422: the token is too long to sign in with
 */
const MAX_TEXT = 3_800;

/** Undefined for one that no browser would keep. */
export function sealSession(keyring: Keyring, session: Session): string | undefined {
  const sealed = keyring.encrypt(Buffer.from(JSON.stringify(session)), CONTEXT);
  const text = Buffer.from(sealed).toString('base64url');
  return text.length > MAX_TEXT ? undefined : text;
}

/** Undefined for what we have not sealed, and for a session that is over. */
export function openSession(keyring: Keyring, text: string, now: number): Session | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const session = opened(keyring, text);
  return session !== undefined && session.endsAt > now ? session : undefined;
}

function opened(keyring: Keyring, text: string): Session | undefined {
  try {
    return JSON.parse(Buffer.from(keyring.decrypt(Buffer.from(text, 'base64url'), CONTEXT)).toString()) as Session;
  } catch (error) {
    if (error instanceof KeyringError) return undefined;
    throw error;
  }
}
