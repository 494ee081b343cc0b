/**
 * Milliseconds. So long a token that ended by itself, by its time or its last use, still answers for the links that were made for
 * it: what was announced with it in time may be sent. One that was revoked answers for none.
 * @limit the time for which a signed link works after its token has ended by itself, ms -> 401 or 404
 */
export const LINK_GRACE_MS = 10 * 60_000;
