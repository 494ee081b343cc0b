import { memoizeByObject } from '../../../lib/memoize-by-object.ts';
import { NO_WORKSPACE_ACCESS, TEAM_WORKSPACE_LEVELS, unite, WORKSPACE_LEVELS, type WorkspaceAccess } from './access.ts';
import { ACCESS_FLAGS, type Grant, NO_ACCESS, type TeamGrant } from './grants.ts';
import { organizationPermissions } from './organization.ts';
import {
  organizationWideAccess,
  type WorkspacePermissions,
  type WorkspacePolicy,
  workspacePermissions,
} from './workspace.ts';

/** Kinds of sources of a permission. */
export const SOURCES = [
  'owners',
  'organization-access',
  'project-access',
  'workspace-access',
  'membership',
  'organization-token',
  'job',
  'run-task',
] as const;

/** Source of a permission. */
export interface Source {
  readonly kind: (typeof SOURCES)[number];
  /** Team that gives the permission; null if no team does. */
  readonly teamId: string | null;
  /** Flag of the organization, or level of the access. */
  readonly gives: string | null;
  /** Id of the access to the workspace or the project. */
  readonly accessId: string | null;
}

/** Reasons why a permission is allowed or denied. */
export const REASONS = ['granted', 'nothing', 'setting', 'suspended', 'user-tokens'] as const;
export type Reason = (typeof REASONS)[number];

/** One permission and the reason why it is allowed or denied. */
export interface Verdict {
  readonly permission: string;
  readonly allowed: boolean;
  readonly reason: Reason;
  /** Setting that must be switched on, if the reason is `setting`. */
  readonly setting: string | null;
  readonly from: readonly Source[];
  /** Levels of access to the workspace, or flags of the organization, that would each allow it. */
  readonly givenBy: readonly string[];
}

/** Source with the access that it gives by itself. */
export type Piece<Given> = Source & { readonly given: Given };

/** Splits a grant in an organization into its sources. Each one is a grant, and their sum is the grant. */
export function piecesOf(grant: Grant, teams: readonly TeamGrant[]): Piece<Grant>[] {
  const none = { accessId: null, gives: null, teamId: null };
  if (grant.setsUpOnly) return [{ ...none, kind: 'organization-token', given: grant }];
  const ofTeams = teams.flatMap(({ teamId, owners, access }): Piece<Grant>[] => {
    if (owners) return [{ ...none, kind: 'owners', teamId, given: OWNER }];
    return BY_FLAG.filter(([flag]) => access[flag]).map(([flag, given]) => {
      return { ...none, kind: 'organization-access', teamId, gives: flag, given };
    });
  });
  return [{ ...none, kind: 'membership', given: MEMBER }, ...ofTeams];
}

/** Grant of a member without any team access. */
const MEMBER: Grant = { organizationId: '', teamIds: [], owner: false, access: NO_ACCESS };
const OWNER: Grant = { ...MEMBER, owner: true };
const BY_FLAG = ACCESS_FLAGS.map((flag) => [flag, { ...MEMBER, access: { ...NO_ACCESS, [flag]: true } }] as const);

/** Settings that deny a permission despite sufficient access, by name. */
const SETTINGS = {
  'allow-destroy-plan': 'allowsDestroyPlan',
  'allow-force-delete-workspaces': 'allowsForceDelete',
} as const;

/**
 * Explains the permissions of a workspace: evaluates each rule for every source by itself.
 * @param allowed decision for each permission
 */
export function explainWorkspace(
  allowed: WorkspacePermissions,
  pieces: readonly Piece<WorkspaceAccess>[],
  policy: WorkspacePolicy,
): Verdict[] {
  const access = pieces.map(({ given }) => given).reduce(unite, NO_WORKSPACE_ACCESS);
  const settings = Object.entries(SETTINGS).map(
    ([name, key]) => [name, workspacePermissions(access, { ...policy, [key]: true })] as const,
  );
  const levels = TEAM_WORKSPACE_LEVELS.filter((level) => level !== 'custom').map(
    (level) => [level, workspacePermissions(WORKSPACE_LEVELS[level], policy)] as const,
  );
  return verdicts(allowed, pieces, (given) => workspacePermissions(given, policy), { settings, levels });
}

/** Explains the permissions of an organization, like `explainWorkspace`. */
export function explainOrganization(
  allowed: ReturnType<typeof organizationPermissions>,
  pieces: readonly Piece<Grant>[],
): Verdict[] {
  const levels = BY_FLAG.map(([flag, grant]) => [flag, organizationPermissions(grant)] as const);
  return verdicts(allowed, pieces, organizationPermissions, { settings: [], levels });
}

/** Converts the sources of a grant to the access that they give on every workspace. */
export function organizationWidePieces(pieces: readonly Piece<Grant>[]): Piece<WorkspaceAccess>[] {
  const wide = memoizeByObject(organizationWideAccess);
  return pieces.map((piece) => ({ ...piece, given: wide(piece.given) }));
}

/** Returns the verdict for a user who cannot use their grants at all, for example because they are suspended. */
export function barred(verdict: Verdict, reason: Reason): Verdict {
  return { ...verdict, allowed: false, reason, setting: null };
}

type Named<Key extends string> = readonly (readonly [name: string, permissions: Readonly<Record<Key, boolean>>])[];

/**
 * Sources of one permission, widest first.
 * @limit sources shown for a permission, sources -> further sources are not shown
 */
const MAX_SOURCES = 10;

function verdicts<Key extends string, Given extends object>(
  allowed: Readonly<Record<Key, boolean>>,
  pieces: readonly Piece<Given>[],
  rules: (given: Given) => Readonly<Record<Key, boolean>>,
  { settings, levels }: { readonly settings: Named<Key>; readonly levels: Named<Key> },
): Verdict[] {
  // Cache by grant object: a user may be in many teams with identical grants.
  const permissionsOf = memoizeByObject(rules);
  const each = pieces.map(({ given, ...source }) => [source, permissionsOf(given)] as const);
  const giving = (permission: Key, named: Named<Key>) =>
    named.filter(([, permissions]) => permissions[permission]).map(([name]) => name);
  return (Object.keys(allowed) as Key[]).map((permission) => {
    const isAllowed = allowed[permission];
    const setting = isAllowed ? null : (giving(permission, settings)[0] ?? null);
    return {
      permission,
      allowed: isAllowed,
      reason: isAllowed ? 'granted' : setting === null ? 'nothing' : 'setting',
      setting,
      from: each
        .filter(([, permissions]) => permissions[permission])
        .slice(0, MAX_SOURCES)
        .map(([source]) => source),
      givenBy: giving(permission, levels),
    };
  });
}
