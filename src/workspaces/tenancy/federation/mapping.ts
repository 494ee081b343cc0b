/** Rule: members of the group are members of the team. */
export interface TeamRule {
  /** Name at the provider. `*` at the end matches any suffix. */
  readonly group: string;
  readonly organization: string;
  readonly team: string;
}

/** Rules for users whom an identity provider has authenticated. */
export interface FederationRules {
  /** New users who may sign in: all, those whose verified email address is invited, or none. */
  readonly create: 'always' | 'invited' | 'never';
  /** Whether the first sign-in of an existing user is matched by the verified email address. */
  readonly linkByEmail: boolean;
  /** Whether members of the group that a team's `sso-team-id` names join the team. Never applies to the owners team. */
  readonly ssoTeamIds: boolean;
  readonly teams: readonly TeamRule[];
  readonly siteAdminGroups: readonly string[];
  /**
   * Organization whose own provider it is: its users can be members of this organization only. Absent for the provider
   * of the server.
   */
  readonly organization?: { readonly id: string; readonly name: string };
}

export function matchesGroup(groups: readonly string[], pattern: string): boolean {
  if (!pattern.endsWith('*')) return groups.includes(pattern);
  const start = pattern.slice(0, -1);
  return groups.some((group) => group.startsWith(start));
}

/** Returns the teams that the groups give, by name of organization and team. */
export function teamsFor(rules: readonly TeamRule[], groups: readonly string[]): readonly TeamRule[] {
  return rules.filter(({ group }) => matchesGroup(groups, group));
}

/** Returns a valid username similar to the provider's name: `ada@example.com` becomes `ada`. */
export function usernameLike(name: string): string {
  const plain = (name.split('@')[0] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .replace(/-+$/, '')
    .slice(0, 50);
  return plain === '' || plain.startsWith('api-org-') ? 'user' : plain;
}
