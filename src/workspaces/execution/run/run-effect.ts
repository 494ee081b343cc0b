import type { Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { Phase } from '../lifecycle/phase.ts';
import type { RunStatus } from '../lifecycle/status.ts';
import type { Run } from './run.ts';

/** The transition that an effect follows. */
export interface RunStep {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Actor of the transition; null if the server acts by itself. */
  readonly actor: Identifier | null;
  /** Reason of the transition, as the run event shows it. */
  readonly reason?: string;
  /** Whether stages still have to evaluate the plan, so that no user has to decide yet. */
  readonly stagesFollow: boolean;
  /** The run before the transition. It may still hold the workspace. */
  readonly before: Run;
  /** The plan or the apply, if the transition changed its status. */
  readonly phases: readonly Phase[];
}

/** Something that happens when a run enters a status, in the transaction of the transition. */
export interface RunEffect {
  readonly name: string;
  /** Statuses that cause the effect. */
  readonly on: readonly RunStatus[];
  /** Kind of runs that have the effect. An assessment is a run that users do not see. Default: both. */
  readonly of?: 'runs' | 'assessments';
  run(tx: Transaction, run: Run, step: RunStep): unknown;
}
