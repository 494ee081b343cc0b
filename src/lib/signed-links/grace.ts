/**
 * Grace period of signed links, milliseconds. After a token expires or its last use is consumed, the links that were
 * created with it still work for this time, so that an upload announced in time succeeds. Links of a revoked token stop
 * working at once.
 * @limit validity of a signed link after its token has expired, ms -> 401 or 404
 */
export const LINK_GRACE_MS = 10 * 60_000;
