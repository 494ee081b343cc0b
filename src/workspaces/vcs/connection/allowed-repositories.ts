import type { ProviderRepository } from '../provider/port.ts';
import { decoded } from '../provider/urls.ts';
import type { Connection } from './connection.ts';

/** @limit patterns of repositories of a connection, patterns -> 422 */
export const MOST_PATTERNS = 100;
/** @limit pattern of repositories of a connection, characters -> 422 */
export const LONGEST_PATTERN = 255;
const ANY_DEPTH = '**';

/**
 * Returns whether workspaces may follow the repository. Call it with the identifier that the provider returned, because
 * a redirect may lead from one repository to another. `*` stands for any characters except a slash, `**` as the last
 * part for anything below. Only Git over HTTPS distinguishes upper and lower case.
 */
export function mayFollow(
  { allowedRepositories, serviceProvider }: Pick<Connection, 'allowedRepositories' | 'serviceProvider'>,
  identifier: string,
): boolean {
  if (allowedRepositories.length === 0) return true;
  const folded = (text: string) => (serviceProvider === 'git' ? text : text.toLowerCase()).split('/');
  const parts = folded(identifier);
  return allowedRepositories.some((pattern) => matches(folded(pattern), parts));
}

/**
 * Returns whether a submodule may be fetched with the credential of the connection, which may read more than workspaces
 * may follow.
 * @param repository with the submodule: it shows where identifiers are in URLs of this provider
 * @param submodule URL on the same host
 */
export function mayFetchSubmodule(
  connection: Pick<Connection, 'allowedRepositories' | 'serviceProvider'>,
  { identifier, gitUrl }: Pick<ProviderRepository, 'identifier' | 'gitUrl'>,
  submodule: string,
): boolean {
  if (connection.allowedRepositories.length === 0) return true;
  const pathOf = (url: string) => withoutEnding(decoded(new URL(url).pathname));
  const [known, path] = [pathOf(gitUrl), pathOf(submodule)];
  const above = known.slice(0, Math.max(0, known.length - withoutEnding(identifier).length));
  const isKnown = (above + withoutEnding(identifier)).toLowerCase() === known.toLowerCase() && above.endsWith('/');
  if (!isKnown || !path.toLowerCase().startsWith(above.toLowerCase())) return false;
  const name = path.slice(above.length);
  // A server could read these parts in another way.
  if (name.split('/').some((part) => part === '' || part === '.' || part === '..' || part.includes('\\'))) return false;
  return mayFollow(connection, name) || mayFollow(connection, `${name}.git`);
}

const withoutEnding = (path: string): string => path.replace(/(?:\.git)?\/*$/, '');

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  const isDeep = pattern.at(-1) === ANY_DEPTH;
  const fixed = isDeep ? pattern.slice(0, -1) : pattern;
  if (isDeep ? parts.length <= fixed.length : parts.length !== fixed.length) return false;
  return fixed.every((part, index) => matchesPart(part, parts[index] ?? ''));
}

/** Compares in time proportional to the product of the lengths, whatever the number of stars. */
function matchesPart(pattern: string, text: string): boolean {
  let at = 0;
  let starAt = -1;
  let retryFrom = 0;
  let place = 0;
  while (at < text.length) {
    if (pattern[place] === '*') {
      starAt = place++;
      retryFrom = at;
    } else if (pattern[place] === text[at]) {
      place++;
      at++;
    } else if (starAt >= 0) {
      place = starAt + 1;
      at = ++retryFrom;
    } else return false;
  }
  while (pattern[place] === '*') place++;
  return place === pattern.length;
}

/** Returns whether the text is a pattern: parts that are not empty, separated by slashes, and `**` only as the last. */
export function isPattern(text: string): boolean {
  const parts = text.split('/');
  return parts.every(
    (part, index) => part !== '' && (!part.includes(ANY_DEPTH) || (part === ANY_DEPTH && index === parts.length - 1)),
  );
}
