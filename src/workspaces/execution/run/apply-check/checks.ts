import type { RunEngine } from '../../lifecycle/engine.ts';
import type { PhaseKind } from '../../lifecycle/phase.ts';
import type { Place } from './place-store.ts';
import type { Planned } from './planned-store.ts';

/** Facts about a run that is about to be applied, or that waits for an agent. */
export interface ApplyFacts {
  readonly runId: string;
  /** The run holds its workspace: it needs the lock. A saved plan gets it when its turn comes. */
  readonly holdsWorkspace: boolean;
  readonly place: Place;
  /** Undefined for a plan that started before its inputs were stored. */
  readonly planned: Planned | undefined;
  /** The variables that the run would get now, as `Planned.variables` has them. */
  readonly variables: readonly string[];
  readonly engine: RunEngine;
  /** The user who confirmed the run, or who started it with `auto-apply`. Null for a run that a trigger started. */
  readonly author: { readonly name: string; readonly mayApply: boolean } | null;
}

/** A check that a fact of the plan still holds. */
export interface Check {
  readonly name: string;
  /** Before which of the two phases of a run it is made. */
  readonly before: readonly PhaseKind[];
  /** Returns why it does not hold, as a sentence without its full stop; undefined where it does. */
  readonly refusal: (facts: ApplyFacts) => string | undefined;
}

const HOLDERS: Readonly<Record<string, string>> = { users: 'user', teams: 'team', runs: 'run' };

/** All that is checked again when a run is confirmed, when it confirms itself, and when its apply is handed out and started. */
export const CHECKS: readonly Check[] = [
  { name: 'lock', before: ['apply'], refusal: lock },
  { name: 'execution-mode', before: ['plan', 'apply'], refusal: executionMode },
  { name: 'agent-pool', before: ['apply'], refusal: agentPool },
  { name: 'permission', before: ['apply'], refusal: permission },
  { name: 'variables', before: ['apply'], refusal: variables },
  { name: 'state', before: ['apply'], refusal: state },
  { name: 'engine', before: ['apply'], refusal: engine },
];

/** Returns what does not hold, in one text; undefined where everything does. */
export function refusalBefore(phase: PhaseKind, facts: ApplyFacts): string | undefined {
  const failed = CHECKS.filter(({ before }) => before.includes(phase)).flatMap(({ refusal }) => refusal(facts) ?? []);
  return failed.length === 0 ? undefined : failed.join('. ');
}

function lock({ holdsWorkspace, runId, place: { holder } }: ApplyFacts): string | undefined {
  if (!holdsWorkspace || holder === null || (holder.type === 'runs' && holder.id === runId)) return undefined;
  const who = [HOLDERS[holder.type] ?? holder.type, holder.name, `(${holder.id})`].filter(Boolean).join(' ');
  return `The run has lost the lock of its workspace, which ${who} holds now`;
}

function executionMode({ place: { executionMode } }: ApplyFacts): string | undefined {
  if (executionMode !== 'local') return undefined;
  return 'The execution mode of the workspace is "local" now, so that no agent executes its runs';
}

/** Another pool is no obstacle: what an apply needs of its plan is on the server. */
function agentPool({ place: { executionMode, pool, isInPool } }: ApplyFacts): string | undefined {
  if (executionMode !== 'agent' || isInPool) return undefined;
  return pool === null
    ? 'The workspace has no agent pool any more'
    : `The agent pool ${pool} does not serve the workspace any more`;
}

function permission({ author }: ApplyFacts): string | undefined {
  if (author === null || author.mayApply) return undefined;
  return `${author.name} may not apply runs of this workspace any more`;
}

/** Values may change in between: a credential that was renewed is the one to use. */
function variables({ planned, variables: now }: ApplyFacts): string | undefined {
  if (planned === undefined) return undefined;
  const added = now.filter((name) => !planned.variables.includes(name));
  const removed = planned.variables.filter((name) => !now.includes(name));
  if (added.length + removed.length === 0) return undefined;
  const parts = [
    ...(added.length > 0 ? [`added ${named(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${named(removed)}`] : []),
  ];
  return `The variables are not those of the plan: ${parts.join('; ')}`;
}

/** @limit keys of variables that a refusal to apply names, keys -> the others are counted */
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

/** A plan says what it was made with. Where it did not, no other release may be chosen in its place. */
function engine({ engine: { version } }: ApplyFacts): string | undefined {
  if (version === null || EXACT.test(version)) return undefined;
  return `The plan was made with some release of "${version}", and its agent did not say which: the apply needs the same one`;
}
