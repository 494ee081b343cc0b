import type { Keyring } from '../../storage/index.ts';
import { opened, sealed } from './sealed-cookie.ts';
import type { Session } from './session.ts';

/** A sign-in in progress at an identity provider. It is stored only in a cookie, encrypted. */
export interface SignInFlow {
  /** State and verifier that the provider's response must match. */
  readonly proof: string;
  /** The organization that owns the provider; absent for the server's own. */
  readonly provider?: string;
  /** The page to open afterwards, below `/app`. */
  readonly to: string;
  /** Expiry, milliseconds since 1970. */
  readonly endsAt: number;
  /**
   * The session of a user who authenticates again, because the browser does not send the strict session cookie with the
   * provider's redirect.
   */
  readonly before?: Session;
  /**
   * Tokens that this server created for the earlier session of the browser. The sign-in revokes them, because the new
   * session replaces that one.
   */
  readonly replaces?: Session['held'];
}

/** @limit duration of a sign-in at an identity provider, ms -> the user has to start again */
export const FLOW_MS = 10 * 60_000;
const CONTEXT = 'console-sign-in';

/** Returns undefined if the result is too long for a cookie. */
export const sealFlow = (keyring: Keyring, flow: SignInFlow): string | undefined => sealed(keyring, CONTEXT, flow);

/** Returns undefined for a text that this server did not encrypt, and for an expired sign-in. */
export const openFlow = (keyring: Keyring, text: string, now: number): SignInFlow | undefined =>
  opened<SignInFlow>(keyring, CONTEXT, text, now);

/** @limit page to return to after a sign-in, characters -> the console opens its first page */
const LONGEST_PLACE = 1_500;

/** Returns a page below `/app`; the first page for any other value. The prefix keeps the redirect on this host. */
export function placeOf(to: unknown): string {
  return typeof to === 'string' && to.length <= LONGEST_PLACE && /^\/[\x21-\x7e]*$/.test(to) ? to : '/';
}
