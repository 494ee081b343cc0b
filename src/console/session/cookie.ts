/**
 * Browsers accept a cookie with this prefix only over TLS, for exactly this host and all of its paths (RFC 6265bis
 * §4.1.3).
 */
const NAME = '__Host-lockkeeper';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/**
 * Cookie of a sign-in at an identity provider. It is `SameSite=Lax`, because a strict cookie would be missing when the
 * provider redirects the browser back.
 */
const FLOW_NAME = '__Host-lockkeeper-sign-in';
const FLOW_ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** Cookie of a question for a passkey. It is strict: only pages of this server ask and answer. */
const PASSKEY_NAME = '__Host-lockkeeper-passkey';

/**
 * Returns the session cookie of a request. Returns undefined if it is absent or appears twice: another party must have
 * set one of the two.
 */
export const sessionCookie = (header: string | undefined) => cookieNamed(NAME, header);
export const flowCookie = (header: string | undefined) => cookieNamed(FLOW_NAME, header);
export const passkeyCookie = (header: string | undefined) => cookieNamed(PASSKEY_NAME, header);

function cookieNamed(name: string, header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/**
 * Returns the header that sets the cookie.
 * @param seconds lifetime of the cookie
 */
export function keepCookie(text: string, seconds: number): string {
  return `${NAME}=${text}; ${ATTRIBUTES}; Max-Age=${seconds}`;
}

/** The header that deletes the cookie. */
export const DROP_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

export const keepFlow = (text: string, seconds: number) =>
  `${FLOW_NAME}=${text}; ${FLOW_ATTRIBUTES}; Max-Age=${seconds}`;
export const dropFlow = () => keepFlow('', 0);

export const keepCeremony = (text: string, seconds: number) =>
  `${PASSKEY_NAME}=${text}; ${ATTRIBUTES}; Max-Age=${seconds}`;
export const dropCeremony = () => keepCeremony('', 0);
