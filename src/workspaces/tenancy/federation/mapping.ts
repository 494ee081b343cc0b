/** Whoever is in the group is in the team. */
export interface TeamRule {
  /** As the provider calls it; `*` at its end stands for any end. */
  readonly group: string;
  readonly organization: string;
  readonly team: string;
}

/** What becomes of people whom a provider vouches for. */
export interface FederationRules {
  /** Who is let in who was never here: everybody, whose verified address is invited, or nobody. */
  readonly create: 'always' | 'invited' | 'never';
  /** Whether somebody who is here already is found by their verified address; once. */
  readonly linkByEmail: boolean;
  /** Whether a team takes the members of the group that its `sso-team-id` names; owners never. */
  readonly ssoTeamIds: boolean;
  readonly teams: readonly TeamRule[];
  readonly siteAdminGroups: readonly string[];
  /** Whose own provider it is: people are of that organization alone. Absent: the provider of the whole server. */
  readonly organization?: { readonly id: string; readonly name: string };
}

export function matchesGroup(groups: readonly string[], pattern: string): boolean {
  if (!pattern.endsWith('*')) return groups.includes(pattern);
  const start = pattern.slice(0, -1);
  return groups.some((group) => group.startsWith(start));
}

/** The teams that groups give, by the names of organization and team. */
export function teamsFor(rules: readonly TeamRule[], groups: readonly string[]): readonly TeamRule[] {
  return rules.filter(({ group }) => matchesGroup(groups, group));
}

/** A username like the name that a provider gives: `ada@example.com` is `ada`. */
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
