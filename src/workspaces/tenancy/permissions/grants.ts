/** What a team may be allowed across its organization, under the names of the wire. */
export const ACCESS_FLAGS = [
  'manage-workspaces',
  'read-workspaces',
  'manage-projects',
  'read-projects',
  'manage-policies',
  'manage-policy-overrides',
  'delegate-policy-overrides',
  'manage-run-tasks',
  'manage-vcs-settings',
  'manage-agent-pools',
  'manage-providers',
  'manage-modules',
  'manage-membership',
  'manage-teams',
  'manage-organization-access',
  'access-secret-teams',
] as const;

/** One of ACCESS_FLAGS. */
export type AccessFlag = (typeof ACCESS_FLAGS)[number];
/** Each flag, on or off. */
export type OrganizationAccess = Readonly<Record<AccessFlag, boolean>>;

function every(on: boolean): OrganizationAccess {
  return Object.fromEntries(ACCESS_FLAGS.map((flag) => [flag, on])) as OrganizationAccess;
}

/** That of a new team. */
export const NO_ACCESS = every(false);
/** That of the owners, whatever is stored. */
export const ALL_ACCESS = every(true);

/** One team that somebody acts for. */
export interface TeamGrant {
  readonly teamId: string;
  readonly organizationId: string;
  readonly owners: boolean;
  readonly access: OrganizationAccess;
}

/** A team as a query names it; `access` is the JSON of the flags that are set. */
export interface TeamGrantRow {
  readonly teamId: string;
  readonly organizationId: string;
  readonly owners: number;
  readonly access: string;
}

/** The grant of a team, read. */
export function teamGrant({ teamId, organizationId, owners, access }: TeamGrantRow): TeamGrant {
  return { teamId, organizationId, owners: owners === 1, access: parseAccess(access) };
}

/** A flag that a stored team does not know yet is off. */
export function parseAccess(json: string): OrganizationAccess {
  return { ...NO_ACCESS, ...(JSON.parse(json) as Partial<OrganizationAccess>) };
}

/** All that somebody is granted in one organization: what their teams are, added up. Nothing takes away. */
export interface Grant {
  readonly organizationId: string;
  readonly teamIds: readonly string[];
  readonly owner: boolean;
  readonly access: OrganizationAccess;
  /** The organization's own token: it sets up what others carry out. */
  readonly setsUpOnly?: true;
}

/** By organization id. An organization that is not here does not exist for the caller. */
export type Grants = ReadonlyMap<string, Grant>;

function union(one: OrganizationAccess, other: OrganizationAccess): OrganizationAccess {
  return Object.fromEntries(ACCESS_FLAGS.map((flag) => [flag, one[flag] || other[flag]])) as OrganizationAccess;
}

/** That of the organization's own token: whatever sets up, and none of what is left to owners. */
export function organizationGrant(organizationId: string): Grant {
  return { organizationId, teamIds: [], owner: false, access: ALL_ACCESS, setsUpOnly: true };
}

/** Adds up what the teams are granted. */
export function grantsOf(teams: readonly TeamGrant[]): Grants {
  const grants = new Map<string, Grant>();
  for (const { organizationId, teamId, owners, access } of teams) {
    const known = grants.get(organizationId);
    grants.set(organizationId, {
      organizationId,
      teamIds: [...(known?.teamIds ?? []), teamId],
      owner: owners || known?.owner === true,
      access: known === undefined ? access : union(known.access, access),
    });
  }
  return grants;
}
