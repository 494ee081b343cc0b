/** Permissions of a team across its organization, named as in the API. */
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

export type AccessFlag = (typeof ACCESS_FLAGS)[number];
/** Each flag with true or false. */
export type OrganizationAccess = Readonly<Record<AccessFlag, boolean>>;

function every(on: boolean): OrganizationAccess {
  return Object.fromEntries(ACCESS_FLAGS.map((flag) => [flag, on])) as OrganizationAccess;
}

/** Flags of a new team. */
export const NO_ACCESS = every(false);
/** Flags of the owners team, regardless of the stored ones. */
export const ALL_ACCESS = every(true);

/** Team that the actor acts for. */
export interface TeamGrant {
  readonly teamId: string;
  readonly organizationId: string;
  readonly owners: boolean;
  readonly access: OrganizationAccess;
}

/** Team as a query returns it. `access` is JSON with the flags that are set. */
export interface TeamGrantRow {
  readonly teamId: string;
  readonly organizationId: string;
  readonly owners: number;
  readonly access: string;
}

/** Parses the grant of a team. */
export function teamGrant({ teamId, organizationId, owners, access }: TeamGrantRow): TeamGrant {
  return { teamId, organizationId, owners: owners === 1, access: parseAccess(access) };
}

/** Flags that the stored team does not contain are false. */
export function parseAccess(json: string): OrganizationAccess {
  return { ...NO_ACCESS, ...(JSON.parse(json) as Partial<OrganizationAccess>) };
}

/** Sum of all that an actor is granted in one organization by its teams. No team takes a permission away. */
export interface Grant {
  readonly organizationId: string;
  readonly teamIds: readonly string[];
  readonly owner: boolean;
  readonly access: OrganizationAccess;
  /** True for the organization token: it manages resources but does not start runs. */
  readonly setsUpOnly?: true;
}

/** Grant without any permission. */
export const NO_GRANT: Grant = { organizationId: '', teamIds: [], owner: false, access: NO_ACCESS };

/** Grants by organization id. An organization that is missing here does not exist for the caller. */
export type Grants = ReadonlyMap<string, Grant>;

function union(one: OrganizationAccess, other: OrganizationAccess): OrganizationAccess {
  return Object.fromEntries(ACCESS_FLAGS.map((flag) => [flag, one[flag] || other[flag]])) as OrganizationAccess;
}

/**
 * Returns the grant of the organization token: everything that manages resources, without the actions that are
 * reserved for owners.
 */
export function organizationGrant(organizationId: string): Grant {
  return { organizationId, teamIds: [], owner: false, access: ALL_ACCESS, setsUpOnly: true };
}

/** Adds up the grants of the teams. */
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
