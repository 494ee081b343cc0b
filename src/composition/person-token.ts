import type { Access } from '../access/index.ts';
import type { OidcConfig } from '../config/index.ts';
import { SESSION_MS } from '../console/index.ts';
import { matchesGroup } from '../workspaces/index.ts';

interface Person {
  readonly user: { readonly id: string; readonly username: string };
  /** Groups at the identity provider. */
  readonly groups: readonly string[];
  /** Rules that map groups to policies. */
  readonly policies: NonNullable<OidcConfig['policies']>;
  /** End of the session, and the time of now, milliseconds since 1970. */
  readonly until: number;
  readonly now: number;
}

/**
 * Creates the token of the access API for a user whom the identity provider has authenticated, so that one sign-in opens
 * both APIs. It ends after 8 hours, at the latest with the session, cannot be renewed, and is never shown: the session cookie has it, encrypted.
 * @returns undefined for a user without a policy
 */
export async function personToken(
  { tokens }: Access,
  { user, groups, policies: rules, until, now }: Person,
): Promise<string | undefined> {
  const policies = [...new Set(rules.filter(({ group }) => matchesGroup(groups, group)).map(({ policy }) => policy))];
  const ttl = Math.floor(Math.min(until - now, SESSION_MS) / 1000);
  if (policies.length === 0 || ttl <= 0) return undefined;
  const issued = await tokens.issue(
    {
      ...{ type: 'service', path: 'auth/token/create', displayName: `console-${user.username}` },
      policies: ['default', ...policies].sort(),
      metadata: { via: 'console', user_id: user.id, username: user.username },
      ...{ boundCidrs: [], mountId: null, certificate: null, numUses: 0, renewable: false },
      terms: { ttl, maxTtl: ttl, period: 0, explicitMaxTtl: ttl },
    },
    { defaultTtl: ttl, maxTtl: ttl },
  );
  return issued.text;
}
