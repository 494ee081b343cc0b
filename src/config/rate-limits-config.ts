import Type, { type Static } from 'typebox';
import { optional } from './setting.ts';

/** Rate limits. Absent fields are not limited. */
export interface RateLimitsConfig {
  /** Requests per second. */
  readonly access?: number;
  readonly workspaces?: number;
  /** Logins per minute. */
  readonly logins?: number;
  readonly failedLogins?: number;
}

/** Schema of `rate_limits`. */
export const rateLimits = Type.Object(
  {
    access: optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      '1 to 1000000 requests a second; none without it',
      'Requests per second to the access API for each token, and for each IP address without a valid token. Beyond it: 429 with Retry-After.',
    ),
    workspaces: optional(
      // Minimum that go-tfe works with: it uses a third of the advertised limit as its burst, rounded down.
      Type.Integer({ minimum: 4, maximum: 1_000_000 }),
      '4 to 1000000 requests a second; none without it',
      'Requests per second to the workspace API for each user, team, organization, agent or machine, across all their tokens, and for each IP address without a valid token. Official clients expect 30.',
    ),
    logins: optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      '1 to 1000000 a minute; none without it',
      'Logins per minute from one IP address (IPv6: one /64) to both APIs and the console. Trusted proxies of the listener are exempt.',
    ),
    failed_logins: optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      '1 to 1000000 a minute; none without it',
      'Refused logins per minute from one IP address, counted across all nodes and workers. Beyond it the server temporarily refuses every login from that address.',
    ),
  },
  { additionalProperties: false },
);

export function toRateLimits(tree: Static<typeof rateLimits>): RateLimitsConfig {
  const { failed_logins: failedLogins, ...others } = tree;
  return { ...others, ...(failedLogins !== undefined && { failedLogins }) };
}
