import Type, { type Static } from 'typebox';
import { optional } from './setting.ts';

/** How often one may ask; what is absent is not limited. */
export interface RateLimitsConfig {
  /** Requests a second. */
  readonly access?: number;
  readonly workspaces?: number;
  /** Logins a minute. */
  readonly logins?: number;
  readonly failedLogins?: number;
}

/** `rate_limits` */
export const rateLimits = Type.Object(
  {
    access: optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      '1 to 1000000 requests a second; none without it',
      'How often each token may ask the access API, and each address without one that is known. Beyond it: 429 with Retry-After.',
    ),
    workspaces: optional(
      // Told less, go-tfe asks nothing at all: it keeps to a third of it at once, rounded down.
      Type.Integer({ minimum: 4, maximum: 1_000_000 }),
      '4 to 1000000 requests a second; none without it',
      'How often each user, team, organization, agent or machine may ask the workspace API, whatever token they use, and each address without one that is known. 30 is what official clients expect.',
    ),
    logins: optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      '1 to 1000000 a minute; none without it',
      'Logins of one address (of IPv6: one /64), to either API and to the console. Trusted proxies of the listener are not counted.',
    ),
    failed_logins: optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      '1 to 1000000 a minute; none without it',
      'Logins of one address that are refused; all nodes and workers count together. Beyond it every login from there is refused for a while.',
    ),
  },
  { additionalProperties: false },
);

export function toRateLimits(tree: Static<typeof rateLimits>): RateLimitsConfig {
  const { failed_logins: failedLogins, ...others } = tree;
  return { ...others, ...(failedLogins !== undefined && { failedLogins }) };
}
