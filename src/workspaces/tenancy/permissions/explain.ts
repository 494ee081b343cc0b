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

/** What a right may come from. */
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

/** Where a right comes from. */
export interface Source {
  readonly kind: (typeof SOURCES)[number];
  /** Null where no team gives it. */
  readonly teamId: string | null;
  /** The flag of the organization, or the level of the access. */
  readonly gives: string | null;
  /** Of the access to the workspace or the project. */
  readonly accessId: string | null;
}

/** Why not, where it is not allowed. */
export const REASONS = ['granted', 'nothing', 'setting', 'suspended', 'user-tokens'] as const;
/** One of REASONS. */
export type Reason = (typeof REASONS)[number];

/** One permission, and why it is as it is. */
export interface Verdict {
  readonly permission: string;
  readonly allowed: boolean;
  readonly reason: Reason;
  /** What has to be switched on, where the reason is `setting`. */
  readonly setting: string | null;
  readonly from: readonly Source[];
  /** Levels of access to the workspace, or flags of the organization, each of which gives it. */
  readonly givenBy: readonly string[];
}

/** A source, and what it gives on its own. */
export type Piece<Given> = Source & { readonly given: Given };

/** The grant of somebody in an organization, taken apart: it is their sum, and each is a grant as well. */
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

/** Of whoever belongs to an organization, and no more. */
const MEMBER: Grant = { organizationId: '', teamIds: [], owner: false, access: NO_ACCESS };
const OWNER: Grant = { ...MEMBER, owner: true };
const BY_FLAG = ACCESS_FLAGS.map((flag) => [flag, { ...MEMBER, access: { ...NO_ACCESS, [flag]: true } }] as const);

/** What has a say beside access, by the name under which it is set. */
const SETTINGS = {
  'allow-destroy-plan': 'allowsDestroyPlan',
  'allow-force-delete-workspaces': 'allowsForceDelete',
} as const;

/**
 * Why the permissions of a workspace are as they are: each rule is asked what every piece alone would be allowed by it.
 * @param allowed what was decided
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

/** The same of an organization. */
export function explainOrganization(
  allowed: ReturnType<typeof organizationPermissions>,
  pieces: readonly Piece<Grant>[],
): Verdict[] {
  const levels = BY_FLAG.map(([flag, grant]) => [flag, organizationPermissions(grant)] as const);
  return verdicts(allowed, pieces, organizationPermissions, { settings: [], levels });
}

/** What the pieces of a grant give on every workspace. */
export function organizationWidePieces(pieces: readonly Piece<Grant>[]): Piece<WorkspaceAccess>[] {
  const wide = memoizeByObject(organizationWideAccess);
  return pieces.map((piece) => ({ ...piece, given: wide(piece.given) }));
}

/** The same of somebody whom nothing lets in, whatever they are granted. */
export function barred(verdict: Verdict, reason: Reason): Verdict {
  return { ...verdict, allowed: false, reason, setting: null };
}

type Named<Key extends string> = readonly (readonly [name: string, permissions: Readonly<Record<Key, boolean>>])[];

/**
 * Of one permission, the widest first.
 * @limit sources of a permission that are named, sources -> the others are left out
 */
const MAX_SOURCES = 10;

function verdicts<Key extends string, Given extends object>(
  allowed: Readonly<Record<Key, boolean>>,
  pieces: readonly Piece<Given>[],
  rules: (given: Given) => Readonly<Record<Key, boolean>>,
  { settings, levels }: { readonly settings: Named<Key>; readonly levels: Named<Key> },
): Verdict[] {
  // Somebody may be in very many teams: what is alike is asked once.
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
