import { OidcError } from './oidc-error.ts';

/** Whom a provider vouches for. Who they are is issuer and subject alone. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** As they would like to be called; '' where it does not say. */
  readonly name: string;
  /** Undefined unless the provider says that it has verified it. */
  readonly verifiedEmail: string | undefined;
  readonly groups: readonly string[];
}

/** Where to look: the name of a claim, or a path with dots (`realm_access.roles`). */
export interface ClaimPaths {
  readonly name: string;
  readonly email: string;
  readonly groups: string;
}

type Claims = Readonly<Record<string, unknown>>;

/** OpenID Connect Core §2. @limit the subject of an ID token, characters -> nobody is signed in */
const LONGEST_SUBJECT = 255;
/** @limit groups of one person, groups -> nobody is signed in */
const MOST_GROUPS = 1000;
/** @limit a group, a name or an address in a token, characters -> it is none */
const LONGEST_TEXT = 254;

/**
 * @param sources claims of the ID token, then of userinfo: the first that has one counts
 * @throws OidcError for what is no person, and for groups that are elsewhere or too many
 */
export function personOf(issuer: string, paths: ClaimPaths, sources: readonly Claims[]): Person {
  const subject = sources[0]?.sub;
  if (typeof subject !== 'string' || subject === '' || subject.length > LONGEST_SUBJECT) throw new OidcError('invalid');
  const email = text(found(sources, paths.email));
  const vouching = sources.find((claims) => at(claims, paths.email) !== undefined);
  return {
    issuer,
    subject,
    name: text(found(sources, paths.name)),
    verifiedEmail: email !== '' && vouching?.email_verified === true ? email : undefined,
    groups: groupsOf(sources, paths.groups),
  };
}

function groupsOf(sources: readonly Claims[], path: string): readonly string[] {
  const value = found(sources, path);
  // Where there are too many for a token some name an address instead (OpenID Connect Core §5.6.2). To take that for no group would
  // take teams away; nothing is known of them.
  if (value === undefined && sources.some((claims) => isElsewhere(claims, path))) throw new OidcError('groups');
  const groups = [value ?? []].flat().filter((one): one is string => text(one) !== '');
  if (groups.length > MOST_GROUPS) throw new OidcError('groups');
  return [...new Set(groups)];
}

function isElsewhere({ _claim_names: names, hasgroups }: Claims, path: string): boolean {
  return (isObject(names) && Object.hasOwn(names, path)) || hasgroups === true || hasgroups === 'true';
}

const found = (sources: readonly Claims[], path: string) =>
  sources.map((claims) => at(claims, path)).find((value) => value !== undefined && value !== null);

function at(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      claims,
    );
}

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null;

const text = (value: unknown): string =>
  typeof value === 'string' && value.length <= LONGEST_TEXT && !/\p{Cc}/u.test(value) ? value : '';
