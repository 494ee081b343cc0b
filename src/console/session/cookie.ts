/** With this prefix browsers take it over TLS alone, from this very host, for all of its paths (RFC 6265bis §4.1.3). */
const NAME = '__Host-lockkeeper';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** Of somebody who is at their provider. It comes along when that sends them back, which a strict one would not. */
const FLOW_NAME = '__Host-lockkeeper-sign-in';
const FLOW_ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** What the cookie of a request says; undefined for none, and for two, of which one must have been put there by somebody else. */
export const sessionCookie = (header: string | undefined) => cookieNamed(NAME, header);
export const flowCookie = (header: string | undefined) => cookieNamed(FLOW_NAME, header);

function cookieNamed(name: string, header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/** The header that keeps it. @param seconds until it ends by itself */
export function keepCookie(text: string, seconds: number): string {
  return `${NAME}=${text}; ${ATTRIBUTES}; Max-Age=${seconds}`;
}

/** The header that ends it. */
export const DROP_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

export const keepFlow = (text: string, seconds: number) =>
  `${FLOW_NAME}=${text}; ${FLOW_ATTRIBUTES}; Max-Age=${seconds}`;
export const dropFlow = () => keepFlow('', 0);
