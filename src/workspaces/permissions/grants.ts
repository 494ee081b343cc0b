/**
 * What a team may be allowed across its organization. Only what has an effect here; other flags that clients send are
 * ignored until there is something for them to open.
 */
export const ACCESS_FLAGS = ['manage-workspaces', 'read-workspaces', 'manage-projects', 'read-projects'] as const;

/** One of ACCESS_FLAGS. */
export type AccessFlag = (typeof ACCESS_FLAGS)[number];
/** Each flag, on or off. */
export type OrganizationAccess = Readonly<Record<AccessFlag, boolean>>;

/** That of a new team. */
export const NO_ACCESS: OrganizationAccess = {
  'manage-workspaces': false,
  'read-workspaces': false,
  'manage-projects': false,
  'read-projects': false,
};

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
}

/** By organization id. An organization that is not here does not exist for the caller. */
export type Grants = ReadonlyMap<string, Grant>;

function union(one: OrganizationAccess, other: OrganizationAccess): OrganizationAccess {
  return {
    'manage-workspaces': one['manage-workspaces'] || other['manage-workspaces'],
    'read-workspaces': one['read-workspaces'] || other['read-workspaces'],
    'manage-projects': one['manage-projects'] || other['manage-projects'],
    'read-projects': one['read-projects'] || other['read-projects'],
  };
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
