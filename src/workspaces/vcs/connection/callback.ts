import { createHash } from 'node:crypto';

/**
 * Returns the UUID in the callback URL of a connection. It follows from the id, and is no secret: sign-ins are protected
 * by their state.
 */
export function uuidOf(clientId: string): string {
  const hex = createHash('sha256').update(`oauth-client/${clientId}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Returns the path to which a provider sends users back. */
export const callbackPath = (clientId: string): string => `/auth/${uuidOf(clientId)}/callback`;
