import type { IncomingHttpHeaders } from 'node:http';

/** `X-Service-Token` is the name in the specification; clients of the field send one of the others. */
const TOKEN_HEADERS = ['x-service-token', 'x-vault-token'] as const;

/** The token that a request presents. */
export function tokenTextOf(headers: IncomingHttpHeaders): string | undefined {
  for (const name of TOKEN_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}
