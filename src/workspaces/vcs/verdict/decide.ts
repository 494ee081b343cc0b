import type { ForkPlans } from '../../tenancy/index.ts';
import { tagsRegexOf } from '../../workspace/index.ts';
import type { TriggerSettings } from './triggers.ts';
import { type Check, type Code, check } from './words.ts';

/**
 * Maximum length of a tag that is compared with a tags regex. Git hosts allow no longer refs.
 * @limit name of a tag that can start a run, bytes -> verdict `tag-too-long`
 */
export const MAX_TAG_BYTES = 255;

/** Commit of a repository that may start runs. It is the same for all workspaces. */
export interface Occasion {
  readonly kind: 'push' | 'tag' | 'pull';
  /** Branch, tag, or head branch of the pull request, without `refs/…/`. */
  readonly ref: string;
  /** Commit; null if the branch or tag was deleted, or the pull request closed. */
  readonly commitId: string | null;
  /** Default branch of the repository; null if it is empty. */
  readonly defaultBranch: string | null;
  /** Members of the pull request; null for pushes and tags. */
  readonly pull: { readonly baseRef: string; readonly isFork: boolean } | null;
  /** Whether the branch or pull request already had a newer commit. */
  readonly isOvertaken: boolean;
  /** Setting of the organization for changes from forks. */
  readonly forkPlans: ForkPlans;
}

/** A workspace as the rules need it. */
export interface Candidate {
  readonly settings: TriggerSettings;
  /** Execution mode after inheritance. */
  readonly executionMode: string;
  readonly isDeleted: boolean;
  /** Whether the project of the workspace may no longer use the connection. */
  readonly isWithdrawn: boolean;
  readonly isLocked: boolean;
  /** Whether the workspace ever had a run. */
  readonly hasRun: boolean;
  /** Whether this commit already has a run of this kind in the workspace. */
  readonly ranCommit: boolean;
  /** Whether a user approved this commit of a fork for this workspace. */
  readonly isApproved: boolean;
}

/** Decision for a workspace. `vcs_verdict.detail` is this as JSON. */
export interface Verdict {
  readonly outcome: 'run' | 'speculative' | 'skipped';
  /** Code of the check that decided: the first that does not pass; else the files or the tag. */
  readonly code: Code;
  /** Every question with its answer, in the order in which they were asked. */
  readonly checks: readonly Check[];
  /** Whether the run gets no secrets, because the change is from a fork. */
  readonly untrusted: boolean;
}

/**
 * Decides whether a commit starts a run in a workspace. Pure, and takes microseconds.
 * @param files answer to the question about the changed files (`FileMatcher.answer`); undefined if nobody has compared
 *   them yet, which counts as a match
 */
export function decide(occasion: Occasion, candidate: Candidate, files?: Check): Verdict {
  const about = occasion.kind === 'tag' ? check('tags-ignore-files') : (files ?? check('files-not-asked'));
  const checks = [
    ...checksBeforeFiles(occasion, candidate),
    about,
    ...forkChecks(occasion, candidate),
    ...(candidate.isLocked ? [check('locked')] : []),
  ];
  const failed = checks.find(({ passes }) => !passes);
  if (failed !== undefined) return { outcome: 'skipped', code: failed.code, checks, untrusted: false };
  return {
    outcome: occasion.kind === 'pull' ? 'speculative' : 'run',
    code: occasion.kind === 'tag' ? 'tag' : about.code,
    checks,
    untrusted: occasion.pull?.isFork === true,
  };
}

/**
 * Returns whether the changed files matter. Saves the comparison of trees. They matter for a change from a fork that is
 * not planned, because its status at the provider says whether a workspace is concerned.
 */
export function needsFiles(occasion: Occasion, candidate: Candidate): boolean {
  return occasion.kind !== 'tag' && checksBeforeFiles(occasion, candidate).every(({ passes }) => passes);
}

function checksBeforeFiles(occasion: Occasion, candidate: Candidate): Check[] {
  return [...workspaceChecks(candidate), ...refChecks(occasion, candidate), ...historyChecks(occasion, candidate)];
}

/** Returns the verdict for a run that the execution module refused. */
export function refused({ checks, untrusted }: Verdict, problem: string): Verdict {
  return { outcome: 'skipped', code: 'refused', checks: [...checks, check('refused', { problem })], untrusted };
}

function workspaceChecks({ settings, executionMode, isDeleted, isWithdrawn }: Candidate): Check[] {
  const codes: Code[] = [];
  if (isDeleted) codes.push('workspace-deleted');
  if (settings['vcs-repo'] === null) codes.push('no-repository');
  else if (isWithdrawn) codes.push('connection-withdrawn');
  if (executionMode === 'local') codes.push('local-execution');
  return codes.map((code) => check(code));
}

function refChecks(occasion: Occasion, { settings }: Candidate): Check[] {
  const repo = settings['vcs-repo'];
  if (repo === null) return [];
  if (occasion.kind === 'tag') return [tagCheck(occasion, repo['tags-regex'])];
  const branch = repo.branch || occasion.defaultBranch;
  if (occasion.kind === 'push') return [pushCheck(occasion, branch, repo['tags-regex'])];
  return [pullCheck(occasion, branch), ...(settings['speculative-enabled'] ? [] : [check('speculative-disabled')])];
}

function pushCheck({ ref, commitId }: Occasion, branch: string | null, regex: string | null): Check {
  if (regex) return check('tags-only', { regex });
  if (branch === null) return check('no-default-branch');
  if (ref !== branch) return check('other-branch', { ref, branch });
  return commitId === null ? check('branch-deleted', { ref }) : check('branch', { branch });
}

function pullCheck({ commitId, pull }: Occasion, branch: string | null): Check {
  if (branch === null) return check('no-default-branch');
  const ref = pull?.baseRef ?? '';
  if (ref !== branch) return check('other-target', { ref, branch });
  return commitId === null ? check('pull-closed') : check('target', { branch });
}

function forkChecks({ pull, forkPlans }: Occasion, { isApproved }: Candidate): Check[] {
  if (!pull?.isFork) return [];
  if (forkPlans === 'never') return [check('fork-never')];
  return [check(isApproved ? 'fork-approved' : 'fork-waits')];
}

function tagCheck({ ref, commitId }: Occasion, text: string | null): Check {
  if (!text) return check('no-tags-regex');
  if (commitId === null) return check('tag-deleted', { ref });
  if (Buffer.byteLength(ref) > MAX_TAG_BYTES) return check('tag-too-long', { limit: MAX_TAG_BYTES });
  const regex = tagsRegexOf(text);
  if ('problem' in regex) return check('regex-unusable', { regex: text, problem: regex.problem });
  return check(regex.matches(ref) ? 'tag' : 'other-tag', { ref, regex: text });
}

function historyChecks({ isOvertaken }: Occasion, { settings, hasRun, ranCommit }: Candidate): Check[] {
  return [
    check(hasRun ? 'had-runs' : settings['queue-all-runs'] ? 'queue-all-runs' : 'first-run'),
    check(ranCommit ? 'ran-before' : 'new-commit'),
    ...(isOvertaken ? [check('overtaken')] : []),
  ];
}
