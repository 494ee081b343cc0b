import { apiOfToken, type TokenApi } from '../../lib/secret/token-api.ts';

/** A token and the place from which it comes: an environment variable, or the last login. */
export interface FoundToken {
  readonly text: string;
  readonly source: string;
}

const NEXT: Readonly<Record<TokenApi, string>> = {
  access:
    'this command uses the access API. Log in with a certificate (`lockkeeper login --cert FILE`), ' +
    'or set LOCKKEEPER_TOKEN to a token that begins with lks. or lkb.',
  workspaces:
    'this command uses the workspace API, which accepts it only from a machine that acts for a team. ' +
    'Log in with `lockkeeper login`, or set LOCKKEEPER_TOKEN to a token that begins with lku.',
};
const NAMES: Readonly<Record<TokenApi, string>> = { access: 'access API', workspaces: 'workspace API' };

/** Returns what to do about a refused token that belongs to the other API; undefined for any other token. */
export function wrongTokenHint({ text, source }: FoundToken, api: TokenApi): string | undefined {
  const owner = apiOfToken(text);
  if (owner === undefined || owner === api) return undefined;
  return `${source} is a token of the ${NAMES[owner]} (${text.slice(0, 'lku.'.length)}…), and ${NEXT[api]}`;
}
