import type { RetainedKind } from '../hooks/retained.ts';
import type { PolicyType } from '../model/retention-types.ts';

/** Numeric settings: days, and how many of the newest to keep regardless of age. */
export const NUMBERS = [
  'delete-older-than-n-days',
  'state-versions-delete-after-n-days',
  'configuration-versions-delete-after-n-days',
  'run-data-and-logs-delete-after-n-days',
  'state-versions-keep-latest-count',
  'configuration-versions-keep-latest-count',
  'run-data-keep-latest-count',
] as const;
/** Boolean settings. */
export const FLAGS = ['delete-state-versions', 'delete-configuration-versions', 'delete-run-data-and-logs'] as const;

/** Settings of a policy, with the names of the API. Unset ones are absent. */
export type PolicySettings = {
  readonly [Name in (typeof NUMBERS)[number]]?: number;
} & { readonly [Name in (typeof FLAGS)[number]]?: boolean };

/** Retention policy of one workspace, or of all workspaces of an organization that have none of their own. */
export interface RetentionPolicy {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Workspace of the policy; null for a policy of the organization. */
  readonly workspaceId: string | null;
  readonly type: PolicyType;
  readonly settings: PolicySettings;
}

/** Data of one kind to delete: older than `days`, except the newest. */
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
  // In HCP Terraform, policies from before this setting existed keep runs.
  runs: {
    flag: 'delete-run-data-and-logs',
    days: 'run-data-and-logs-delete-after-n-days',
    keep: 'run-data-keep-latest-count',
    unlessSaid: false,
  },
} as const;

/** Returns which data of a kind the policy deletes; undefined for none. */
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

/** Describes in a sentence how long data of a kind is kept. */
export function describeRetention(policy: RetentionPolicy, kind: RetainedKind): string {
  const from = policy.workspaceId === null ? "the organization's policy" : "the workspace's policy";
  const retention = retentionOf(policy, kind);
  if (retention === undefined) return `${LABELS[kind]} are kept (${from})`;
  const { days, keepLatest } = retention;
  const age = `${LABELS[kind]} older than ${days} ${days === 1 ? 'day' : 'days'} are deleted`;
  return `${age}${keepLatest === 0 ? '' : `, except the newest ${keepLatest}`} (${from})`;
}
