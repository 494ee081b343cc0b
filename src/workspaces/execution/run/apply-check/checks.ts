import type { RunEngine } from '../../lifecycle/engine.ts';
import type { PhaseKind } from '../../lifecycle/phase.ts';
import type { Place } from './place-store.ts';
import type { Planned } from './planned-store.ts';

/** Facts about a run that is about to be applied, or that waits for an agent. */
export interface ApplyFacts {
  readonly runId: string;
  /** Whether the run must hold the lock of its workspace. A saved plan gets the lock when its turn comes. */
  readonly holdsWorkspace: boolean;
  readonly place: Place;
  /** Inputs of the plan; undefined for a plan that started before its inputs were stored. */
  readonly planned: Planned | undefined;
  /** The variables that the run would get now, in the form of `Planned.variables`. */
  readonly variables: readonly string[];
  readonly engine: RunEngine;
  /** The user who confirmed the run, or who started it with `auto-apply`. Null for a run that a trigger started. */
  readonly author: { readonly name: string; readonly mayApply: boolean } | null;
  /** Whether agents execute the run, but none made its plan. */
  readonly isPlanForeign?: boolean | undefined;
  /** Which approvals are missing; undefined if none are, or no rule applies to the run (approval/). */
  readonly missingApprovals?: string | undefined;
  /** Why an automatic destroy run is not wanted any more; undefined for other runs (auto-destroy/wanted.ts). */
  readonly unwanted?: string | undefined;
}

/** A check that a fact of the plan still holds. */
export interface Check {
  readonly name: string;
  /** The phases of a run before which the check is made. */
  readonly before: readonly PhaseKind[];
  /** Returns why the fact does not hold, as a sentence without its full stop; undefined if it holds. */
  readonly refusal: (facts: ApplyFacts) => string | undefined;
}

const HOLDERS: Readonly<Record<string, string>> = { users: 'user', teams: 'team', runs: 'run' };

/** All checks. They run when a user or auto-apply confirms a run, and when its apply is handed out and started. */
export const CHECKS: readonly Check[] = [
  { name: 'lock', before: ['apply'], refusal: lock },
  { name: 'execution-mode', before: ['plan', 'apply'], refusal: executionMode },
  { name: 'agent-pool', before: ['apply'], refusal: agentPool },
  { name: 'plan', before: ['apply'], refusal: plan },
  { name: 'permission', before: ['apply'], refusal: permission },
  { name: 'variables', before: ['apply'], refusal: variables },
  { name: 'state', before: ['apply'], refusal: state },
  { name: 'engine', before: ['apply'], refusal: engine },
  { name: 'auto-destroy', before: ['apply'], refusal: ({ unwanted }) => unwanted },
  { name: 'approvals', before: ['apply'], refusal: ({ missingApprovals }) => missingApprovals },
];

/** Returns all failed checks in one text; undefined if there are none. */
export function refusalBefore(phase: PhaseKind, facts: ApplyFacts, checks = CHECKS): string | undefined {
  const failed = checks.filter(({ before }) => before.includes(phase)).flatMap(({ refusal }) => refusal(facts) ?? []);
  return failed.length === 0 ? undefined : failed.join('. ');
}

function lock({ holdsWorkspace, runId, place: { holder } }: ApplyFacts): string | undefined {
  if (!holdsWorkspace || holder === null || (holder.type === 'runs' && holder.id === runId)) return undefined;
  const who = [HOLDERS[holder.type] ?? holder.type, holder.name, `(${holder.id})`].filter(Boolean).join(' ');
  return `The run has lost the lock of its workspace, which ${who} holds now`;
}

function executionMode({ place: { executionMode } }: ApplyFacts): string | undefined {
  if (executionMode !== 'local') return undefined;
  return 'The execution mode of the workspace is "local" now, so no agent executes its runs';
}

/**
 * The pool may change between plan and apply, because the server stores everything that an apply needs from its plan.
 */
function agentPool({ place: { executionMode, pool, isInPool } }: ApplyFacts): string | undefined {
  if (executionMode !== 'agent' || isInPool) return undefined;
  return pool === null
    ? 'The workspace has no agent pool any more'
    : `The agent pool ${pool} does not serve the workspace any more`;
}

/** A user may have reported the plan while no agent executed the runs of the workspace. */
function plan({ isPlanForeign }: ApplyFacts): string | undefined {
  return isPlanForeign ? 'No agent made the plan, so no agent applies it' : undefined;
}

function permission({ author }: ApplyFacts): string | undefined {
  if (author === null || author.mayApply) return undefined;
  return `${author.name} may not apply runs of this workspace any more`;
}

/**
 * Checks that the variables have the same keys. Values may change in between: an apply must use a renewed credential.
 */
function variables({ planned, variables: now }: ApplyFacts): string | undefined {
  if (planned === undefined) return undefined;
  const added = now.filter((name) => !planned.variables.includes(name));
  const removed = planned.variables.filter((name) => !now.includes(name));
  if (added.length + removed.length === 0) return undefined;
  const parts = [
    ...(added.length > 0 ? [`added ${named(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${named(removed)}`] : []),
  ];
  return `The variables differ from those of the plan: ${parts.join('; ')}`;
}

/** @limit keys of variables that a refusal to apply names, keys -> the other keys are only counted */
const MOST_NAMED = 5;

function named(names: readonly string[]): string {
  const left = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function state({ planned, place: { stateVersionId } }: ApplyFacts): string | undefined {
  if (planned === undefined || planned.stateVersionId === stateVersionId) return undefined;
  return 'The state of the workspace was changed after the plan was made';
}

const EXACT = /^\d+\.\d+\.\d+/;

/** A plan reports its engine version. If it did not, no other release may replace the one that made it. */
function engine({ engine: { version } }: ApplyFacts): string | undefined {
  if (version === null || EXACT.test(version)) return undefined;
  return `The plan was made with some release of "${version}", and its agent did not report which. The apply needs the same release`;
}
