import { Buffer } from 'node:buffer';
import { type Keyring, KeyringError } from '../../storage/index.ts';

/** The two APIs. */
export type SessionApiName = 'access' | 'workspaces';
export const SESSION_APIS: readonly SessionApiName[] = ['access', 'workspaces'];

/** A token with which a session acts. */
export interface Held {
  /** A secret. */
  readonly token: string;
  /** Whether the sign-in created the token, so that signing out revokes it. */
  readonly made: boolean;
  /**
   * Expiry of a session that is stored and listed for the user, milliseconds. Absent for a session that expires with
   * its cookie.
   */
  readonly endsAt?: number;
  /** The organization whose identity provider authenticated the user. Absent for the server's provider or none. */
  readonly provider?: string;
  /** Whether groups at the identity provider gave it: the next sign-in there replaces it, or takes it away. */
  readonly byGroups?: true;
}

/**
 * A signed-in user: one token for each of the two APIs, or for one of them. The session is stored only in the cookie,
 * encrypted.
 */
export interface Session {
  /** Expiry, milliseconds since 1970. */
  readonly endsAt: number;
  readonly held: Readonly<Partial<Record<SessionApiName, Held>>>;
}

/** Returns the tokens that a sign-in created for the session. */
export const madeOf = ({ held }: Session): Session['held'] =>
  Object.fromEntries(Object.entries(held).filter(([, { made }]) => made));

/** Encryption context of the keyring. */
const CONTEXT = 'console-session';
/**
 * Browsers limit a cookie to 4,096 bytes for its name, value and attributes.
 * @limit the session cookie, characters -> 422: the token is too long to sign in with
 */
const MAX_TEXT = 3_800;

/** Returns undefined if the result is too long for a cookie. */
export function sealSession(keyring: Keyring, session: Session): string | undefined {
  const sealed = keyring.encrypt(Buffer.from(JSON.stringify(session)), CONTEXT);
  const text = Buffer.from(sealed).toString('base64url');
  return text.length > MAX_TEXT ? undefined : text;
}

/** Returns undefined for a text that this server did not encrypt, and for an expired session. */
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
