import { isoTime } from '../../../lib/clock.ts';
import type { RefusedIn } from '../permissions/actor.ts';
import type { Entry, TokenRow, TokenRules } from './store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type TokenEntry = TokenRow & Entry & TokenRules;

/**
 * Returns the organizations that refuse a user's token, each with the reason. Only the holder of the token may see the
 * reasons. Organizations refuse only user tokens.
 */
export function refusedIn(entries: readonly TokenEntry[]): Map<string, RefusedIn> {
  const refused = new Map<string, RefusedIn>();
  for (const entry of entries) {
    const { organizationId, organizationName: name } = entry;
    const reason = organizationId !== null && name !== null ? reasonIn(entry, name) : undefined;
    if (organizationId !== null && name !== null && reason !== undefined) refused.set(organizationId, { name, reason });
  }
  return refused;
}

function reasonIn(entry: TokenEntry, name: string): string | undefined {
  const { ofTeam, ofOrganization, takesUserTokens, userTokenMaxTtl, expiresAt, createdAt, idleMs } = entry;
  if (ofTeam !== null || ofOrganization !== null) return undefined;
  if (takesUserTokens !== 1) {
    return `The organization ${name} does not accept user tokens. Use a team token or an organization token`;
  }
  if (userTokenMaxTtl === null || (expiresAt !== null && expiresAt - createdAt <= userTokenMaxTtl)) return undefined;
  const most = inWords(userTokenMaxTtl);
  // A session expires together with the token that it was started with.
  const [subject, advice] = idleMs === null ? ['token', 'Create'] : ['session', 'Sign in with'];
  return `This ${subject} lives longer than the ${most} that the organization ${name} allows for user tokens. ${advice} a token that expires within ${most}`;
}

/** Reasons why a valid token with an owner has no access any more. */
export const PROVED_BUT = {
  expired: ({ expiresAt }: Pick<TokenRow, 'expiresAt'>) =>
    `The token expired${expiresAt === null ? '' : ` at ${isoTime(expiresAt)}`}. Create another one`,
  idle: 'The session has expired because it was idle for too long. Sign in again',
  suspended: 'The account of this token is suspended. Ask an administrator of this server',
  noTeam:
    'No organization has a machine identity for this certificate. Ask an administrator of the organization for one',
} as const;

function inWords(ms: number): string {
  if (ms % DAY === 0) return counted(ms / DAY, 'day');
  return ms % HOUR === 0 ? counted(ms / HOUR, 'hour') : counted(Math.round(ms / 1000), 'second');
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
