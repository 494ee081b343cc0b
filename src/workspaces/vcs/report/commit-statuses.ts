import type { RunResult } from '../hooks/run-results.ts';
import type { ReportState } from '../provider/port.ts';
import {
  type CommitFacts,
  isRefused,
  isTriggered,
  type ReportedWorkspace,
  type ReportLinks,
  type ReportSettings,
} from './facts.ts';
import { type Outcome, outcomeOfApplies, outcomeOfPlans, tallyOfApplies, tallyOfPlans, unfinished } from './tally.ts';

/**
 * Most workspaces of a commit that have a status each. More make too many requests for the rate limits of providers.
 * @limit workspaces of a commit with a commit status each, workspaces -> the commit has one status for the organization
 */
const MAX_OWN_STATUSES = 50;

/** A status that a commit should have. */
export interface WantedStatus {
  readonly context: string;
  readonly state: ReportState;
  readonly description: string;
  readonly url: string;
  /** Workspaces that it stands for. */
  readonly workspaces: readonly ReportedWorkspace[];
}

/** Statuses of a commit. */
export interface WantedStatuses {
  readonly statuses: readonly WantedStatus[];
  /** Whether they stay as they are until something new happens. */
  readonly isFinal: boolean;
}

/**
 * Returns the statuses that a commit should have. Pure.
 * @param context of the organization, such as `lockkeeper/acme`
 */
export function wantedStatuses(
  facts: CommitFacts,
  settings: ReportSettings,
  context: string,
  links: ReportLinks,
): WantedStatuses {
  const own = ownWorkspaces(facts, settings);
  const statuses =
    own === undefined
      ? [...planStatus(facts, context, links), ...applyStatus(facts.workspaces, `${context}/apply`, facts, links)]
      : own.flatMap((workspace) => ownStatuses(workspace, facts, context, links));
  const runs = facts.workspaces.flatMap((workspace) => workspace.runs);
  const isWaiting =
    facts.events.some(({ state }) => state === 'waiting') ||
    unfinished(tallyOfPlans(runs, 0)) + unfinished(tallyOfApplies(runs)) > 0;
  return { statuses, isFinal: !isWaiting };
}

/** Returns the workspaces that have a status each; undefined if the organization has one status. */
function ownWorkspaces(facts: CommitFacts, settings: ReportSettings): readonly ReportedWorkspace[] | undefined {
  if (settings['aggregated-commit-status-enabled']) return undefined;
  const passes = settings['send-passing-statuses-for-untriggered-speculative-plans'];
  const shown = facts.workspaces.filter(
    (workspace) => isTriggered(workspace) || forkOutcome(workspace) !== undefined || (passes && workspace.isTarget),
  );
  // Contexts are not case-sensitive at some providers.
  const contexts = new Set(shown.map(({ name }) => name.toLowerCase()));
  return shown.length > MAX_OWN_STATUSES || contexts.size < shown.length ? undefined : shown;
}

function planStatus(facts: CommitFacts, context: string, links: ReportLinks): WantedStatus[] {
  const outcome = commitOutcome(facts);
  if (outcome === undefined) return [];
  const workspaces = facts.workspaces.filter(isTriggered);
  return [
    {
      context,
      ...outcome.status,
      url: urlOf(workspaces, planned, facts, links),
      workspaces: outcome.hasRuns ? workspaces : [],
    },
  ];
}

function commitOutcome(facts: CommitFacts): { status: Named; hasRuns: boolean } | undefined {
  const { events, workspaces } = facts;
  const runs = workspaces.flatMap((workspace) => workspace.runs);
  const refused = workspaces.filter(isRefused).length;
  const hasRuns = runs.length + refused > 0;
  const isPull = events.some(({ kind }) => kind === 'pull');
  const without = (state: ReportState, description: string) => ({ status: { state, description }, hasRuns: false });
  if (events.some(({ state }) => state === 'failed') && facts.isFollowed) {
    return without('error', 'The server could not read this commit. Open the details');
  }
  if (events.some(({ state }) => state === 'waiting')) {
    // Whether a push concerns a workspace is not known yet, and most pushes may not.
    if (!hasRuns && !(isPull && facts.isFollowed)) return undefined;
    const status = { state: 'pending' as const, description: 'Checking which workspaces the change concerns' };
    return { status, hasRuns };
  }
  const plans = hasRuns ? named(outcomeOfPlans(tallyOfPlans(runs, refused), runs)) : undefined;
  const fork = workspaces.map(forkOutcome).find((outcome) => outcome !== undefined);
  // The plans of some workspaces say nothing about those that are not planned.
  if (fork !== undefined && (plans === undefined || plans.state === 'success')) return { status: fork, hasRuns };
  if (plans !== undefined) return { status: plans, hasRuns };
  if (!isPull || !facts.isFollowed) return undefined;
  return without('success', 'No workspace is concerned');
}

const FORK_OUTCOMES: Readonly<Record<string, Named>> = {
  'fork-waits': {
    state: 'pending',
    description: 'The change is from a fork. A user who may queue runs must approve this commit',
  },
  'fork-never': {
    state: 'failure',
    description: 'Not planned: a fork. Push the branch to this repository, or let an owner set fork-plans to approved',
  },
};

/** Returns the status of a workspace that a change from a fork concerns but does not plan. It is never a success. */
function forkOutcome({ runs, code, isTarget }: ReportedWorkspace): Named | undefined {
  return isTarget && runs.length === 0 ? FORK_OUTCOMES[code ?? ''] : undefined;
}

interface Named {
  readonly state: ReportState;
  readonly description: string;
}
const named = ({ state, words }: Outcome): Named => ({ state, description: words });

function applyStatus(
  workspaces: readonly ReportedWorkspace[],
  context: string,
  facts: CommitFacts,
  links: ReportLinks,
): WantedStatus[] {
  const applying = workspaces.filter(({ runs }) => runs.some(applied));
  if (applying.length === 0) return [];
  const outcome = outcomeOfApplies(tallyOfApplies(applying.flatMap(({ runs }) => runs)));
  return [{ context, ...named(outcome), url: urlOf(applying, applied, facts, links), workspaces: applying }];
}

function ownStatuses(
  workspace: ReportedWorkspace,
  facts: CommitFacts,
  context: string,
  links: ReportLinks,
): WantedStatus[] {
  const own = `${context}/${workspace.name}`;
  const { runs } = workspace;
  const outcome: Named = isTriggered(workspace)
    ? named(outcomeOfPlans(tallyOfPlans(runs, Number(isRefused(workspace))), runs))
    : (forkOutcome(workspace) ?? { state: 'success', description: 'Not concerned by the change' });
  const plan = { context: own, ...outcome, url: urlOf([workspace], planned, facts, links), workspaces: [workspace] };
  return [plan, ...applyStatus([workspace], `${own}/apply`, facts, links)];
}

const planned = () => true;
const applied = ({ apply }: RunResult) => apply !== 'none';

/** Returns the page of the only run, or the page of the newest event. */
function urlOf(
  workspaces: readonly ReportedWorkspace[],
  matches: (run: RunResult) => boolean,
  { events }: CommitFacts,
  links: ReportLinks,
): string {
  const runs = workspaces.flatMap(({ name, runs: all }) => all.filter(matches).map(({ runId }) => ({ name, runId })));
  const [first] = runs;
  return first !== undefined && runs.length === 1
    ? links.run(first.name, first.runId)
    : links.event(events[0]?.id ?? '');
}
