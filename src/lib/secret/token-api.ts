/** API to which a token belongs. */
export type TokenApi = 'access' | 'workspaces';

const PREFIX = /^lk([a-z])\./;
const OF_ACCESS = ['s', 'b'];
const OF_WORKSPACES = ['u', 'a', 'h', 'j', 'e', 'r'];

/**
 * Returns the API to which a token belongs, by its prefix: `lks.` (access), `lku.` (workspaces). The text is not
 * verified: use the result only for messages. Undefined for a token of another product.
 */
export function apiOfToken(text: string): TokenApi | undefined {
  const [, kind = ''] = PREFIX.exec(text) ?? [];
  if (OF_ACCESS.includes(kind)) return 'access';
  return OF_WORKSPACES.includes(kind) ? 'workspaces' : undefined;
}
