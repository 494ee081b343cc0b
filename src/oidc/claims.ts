import { OidcError } from './oidc-error.ts';

/** A person that a provider has authenticated. Only issuer and subject identify the person. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** Display name. Empty if the provider returns none. */
  readonly name: string;
  /** Undefined unless the provider says that it has verified the email address. */
  readonly verifiedEmail: string | undefined;
  readonly groups: readonly string[];
  /** The person's id in a directory, if a claim for it is configured. */
  readonly directoryId: string | undefined;
  /** The provider's id of its session with the person. */
  readonly session: string | undefined;
  /** Last time the person authenticated, in milliseconds since 1970. Undefined if the provider does not say. */
  readonly authenticatedAt: number | undefined;
}

/** Where to find each value: the name of a claim, or a path with dots (`realm_access.roles`). */
export interface ClaimPaths {
  readonly name: string;
  readonly email: string;
  readonly groups: string;
  readonly directoryId?: string;
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * Maximum length of a subject (OpenID Connect Core §2).
 * @limit the subject of an ID token, characters -> the sign-in fails
 */
const LONGEST_SUBJECT = 255;
/** @limit the session id of a provider, characters -> the id is ignored */
const LONGEST_SESSION = 255;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;
/** @limit groups of one user in a token, groups -> the sign-in fails */
const MOST_GROUPS = 1000;
/** @limit a group, a name or an email address in a token, characters -> the value is ignored */
const LONGEST_TEXT = 254;

/**
 * Returns the person that the claims describe.
 * @param sources claims of the ID token, then of userinfo: the first source with a value wins
 * @throws OidcError if the subject is invalid, or if the groups are not in the token or too many
 */
export function personOf(issuer: string, paths: ClaimPaths, sources: readonly Claims[]): Person {
  const { sub: subject, sid: session, auth_time: authenticated } = sources[0] ?? {};
  if (!isSubject(subject)) throw new OidcError('invalid');
  const email = text(found(sources, paths.email));
  const vouching = sources.find((claims) => isSaid(at(claims, paths.email)));
  return {
    issuer,
    subject,
    name: text(found(sources, paths.name)),
    verifiedEmail: email !== '' && vouching?.email_verified === true ? email : undefined,
    groups: groupsOf(sources, paths.groups),
    directoryId: (paths.directoryId && text(found(sources, paths.directoryId))) || undefined,
    session: isSessionId(session) ? session : undefined,
    authenticatedAt: isTime(authenticated) ? authenticated * 1000 : undefined,
  };
}

export const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_SUBJECT;

export const isSessionId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_SESSION;

const isTime = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= LAST_SECOND;

function groupsOf(sources: readonly Claims[], path: string): readonly string[] {
  const value = found(sources, path);
  // Some providers replace a long list of groups with a URL (OpenID Connect Core §5.6.2). The groups are then
  // unknown. Treating them as empty would remove the person from teams.
  if (value === undefined && sources.some((claims) => isElsewhere(claims, path))) throw new OidcError('groups');
  const groups = [value ?? []].flat().filter((one): one is string => text(one) !== '');
  if (groups.length > MOST_GROUPS) throw new OidcError('groups');
  return [...new Set(groups)];
}

function isElsewhere({ _claim_names: names, hasgroups }: Claims, path: string): boolean {
  return (isObject(names) && Object.hasOwn(names, path)) || hasgroups === true || hasgroups === 'true';
}

const found = (sources: readonly Claims[], path: string) => sources.map((claims) => at(claims, path)).find(isSaid);

const isSaid = (value: unknown): boolean => value !== undefined && value !== null;

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
