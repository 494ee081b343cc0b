import type { Keyring } from '../../storage/index.ts';
import { opened, sealed } from './sealed-cookie.ts';

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

/** Returns undefined if the result is too long for a cookie. */
export const sealSession = (keyring: Keyring, session: Session): string | undefined =>
  sealed(keyring, CONTEXT, session);

/** Returns undefined for a text that this server did not encrypt, and for an expired session. */
export const openSession = (keyring: Keyring, text: string, now: number): Session | undefined =>
  opened<Session>(keyring, CONTEXT, text, now);
