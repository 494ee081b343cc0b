import type { RetainedKind } from '../hooks/retained.ts';
/** The kinds of policy, under their names on the wire; the last is an older name of the first. */
export const POLICY_TYPES = [
  'data-retention-policy-delete-olders',
  'data-retention-policy-dont-deletes',
  'data-retention-policies',
] as const;
/** One of POLICY_TYPES. */
export type PolicyType = (typeof POLICY_TYPES)[number];

/** Numbers that can be set: days, and how many of the newest stay whatever their age. */
export const NUMBERS = [
  'delete-older-than-n-days',
  'state-versions-delete-after-n-days',
  'configuration-versions-delete-after-n-days',
  'run-data-and-logs-delete-after-n-days',
  'state-versions-keep-latest-count',
  'configuration-versions-keep-latest-count',
  'run-data-keep-latest-count',
] as const;
/** Switches that can be set. */
export const FLAGS = ['delete-state-versions', 'delete-configuration-versions', 'delete-run-data-and-logs'] as const;

/** What is set of a policy, under the names of the wire. What is not set is not there. */
export type PolicySettings = {
  readonly [Name in (typeof NUMBERS)[number]]?: number;
} & { readonly [Name in (typeof FLAGS)[number]]?: boolean };

/** How long data is kept: that of one workspace, or that of each in an organization that does not say for itself. */
export interface RetentionPolicy {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Null for the organization's. */
  readonly workspaceId: string | null;
  readonly type: PolicyType;
  readonly settings: PolicySettings;
}

/** What of a kind may go: what is older, apart from so many of the newest. */
export interface Retention {
  readonly days: number;
  readonly keepLatest: number;
}

const KINDS = {
  'state-versions': {
    flag: 'delete-state-versions',
    days: 'state-versions-delete-after-n-days',
    keep: 'state-versions-keep-latest-count',
    unlessSaid: true,
  },
  'configuration-versions': {
    flag: 'delete-configuration-versions',
    days: 'configuration-versions-delete-after-n-days',
    keep: 'configuration-versions-keep-latest-count',
    unlessSaid: true,
  },
  // In the original, policies from before there was this switch leave runs alone.
  runs: {
    flag: 'delete-run-data-and-logs',
    days: 'run-data-and-logs-delete-after-n-days',
    keep: 'run-data-keep-latest-count',
    unlessSaid: false,
  },
} as const;

/** What the policy lets go of a kind; undefined for nothing. */
export function retentionOf(
  { type, settings }: Pick<RetentionPolicy, 'type' | 'settings'>,
  kind: RetainedKind,
): Retention | undefined {
  if (type === 'data-retention-policy-dont-deletes') return undefined;
  const names = KINDS[kind];
  const own = settings[names.days];
  const days = own ?? settings['delete-older-than-n-days'];
  const deletes = settings[names.flag] ?? (own !== undefined || names.unlessSaid);
  return deletes && days !== undefined ? { days, keepLatest: settings[names.keep] ?? 0 } : undefined;
}

const LABELS: Readonly<Record<RetainedKind, string>> = {
  'state-versions': 'State versions',
  'configuration-versions': 'Configuration versions',
  runs: 'Runs and their logs',
};

/** What becomes of a kind, for people. */
export function describeRetention(policy: RetentionPolicy, kind: RetainedKind): string {
  const from = policy.workspaceId === null ? "the organization's policy" : "the workspace's policy";
  const retention = retentionOf(policy, kind);
  if (retention === undefined) return `${LABELS[kind]} are kept (${from})`;
  const { days, keepLatest } = retention;
  const age = `${LABELS[kind]} older than ${days} ${days === 1 ? 'day' : 'days'} are deleted`;
  return `${age}${keepLatest === 0 ? '' : `, except the newest ${keepLatest}`} (${from})`;
}
