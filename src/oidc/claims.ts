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
  /** What a directory knows them by, where that is a claim. */
  readonly directoryId: string | undefined;
  /** As the provider names the session that it has with them. */
  readonly session: string | undefined;
  /** When they last proved who they are, milliseconds since 1970; undefined where it does not say. */
  readonly authenticatedAt: number | undefined;
}

/** Where to look: the name of a claim, or a path with dots (`realm_access.roles`). */
export interface ClaimPaths {
  readonly name: string;
  readonly email: string;
  readonly groups: string;
  readonly directoryId?: string;
}

type Claims = Readonly<Record<string, unknown>>;

/** OpenID Connect Core §2. @limit the subject of an ID token, characters -> nobody is signed in */
const LONGEST_SUBJECT = 255;
/** @limit what a provider calls a session, characters -> it has no name */
const LONGEST_SESSION = 255;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;
/** @limit groups of one person, groups -> nobody is signed in */
const MOST_GROUPS = 1000;
/** @limit a group, a name or an address in a token, characters -> it is none */
const LONGEST_TEXT = 254;

/**
 * @param sources claims of the ID token, then of userinfo: the first that has one counts
 * @throws OidcError for what is no person, and for groups that are elsewhere or too many
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
