import type { Platform } from '../platform/platform.ts';
import type { VariableServices } from '../variables/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import { whyUnwanted } from './auto-destroy/wanted.ts';
import type { ExecutionKind } from './execution-rollout.ts';
import { ApplyChecks } from './run/apply-check/apply-checks.ts';
import { ApprovalNotes, type ReportCommit } from './run/approval/notes.ts';
import { RunFinder } from './run/finder.ts';
import { LogWaits } from './run/log-waits.ts';
import { RunOutcomes } from './run/outcomes.ts';
import { RunPhases } from './run/phases.ts';
import { RunStateMachine } from './run/run-state-machine.ts';
import { RunStart } from './run/start.ts';
import { WaitReasons } from './run/waiting/wait-reasons.ts';

/** Services that every part of this module needs to find, start and advance runs. */
export interface RunCore {
  readonly finder: RunFinder;
  readonly stateMachine: RunStateMachine;
  readonly start: RunStart;
  readonly outcomes: RunOutcomes;
  readonly checks: ApplyChecks;
  readonly approvalNotes: ApprovalNotes;
  readonly phases: RunPhases;
  readonly logWaits: LogWaits;
  readonly waitReasons: WaitReasons;
}

/** Creates the services. The state machine works after its `connect`. */
export function createRunCore(
  { database, keyring, clock, signals }: Platform,
  { finder: workspaces, locks, releases }: WorkspaceServices,
  { appliedVariables }: VariableServices,
  kind: ExecutionKind,
  reportCommit: ReportCommit,
): RunCore {
  const isRemoteOfAgents = kind !== 'none';
  const finder = new RunFinder(database, workspaces, isRemoteOfAgents);
  const waitReasons = new WaitReasons(clock, kind === 'embedded');
  const stateMachine = new RunStateMachine(locks, waitReasons);
  // If the kind is `none`, programs that the server does not know may execute runs through the API.
  const start = new RunStart({ keyring, stateMachine, releases, isRemoteServed: kind !== 'agents' });
  const logWaits = new LogWaits(signals);
  const phases = new RunPhases({ database, keyring, clock, finder, waits: logWaits });
  const checks = new ApplyChecks({ clock, locks, variables: appliedVariables, start, whyUnwanted, isRemoteOfAgents });
  const approvalNotes = new ApprovalNotes(phases, reportCommit);
  const outcomes = new RunOutcomes(stateMachine, checks, approvalNotes);
  return { finder, stateMachine, start, outcomes, checks, approvalNotes, phases, logWaits, waitReasons };
}
