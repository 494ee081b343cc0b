import type { Findings } from '../lifecycle/assessment.ts';
import type { UsedEngine } from '../lifecycle/engine.ts';
import type { Counts } from '../lifecycle/phase.ts';
import type { Packages } from '../package/packages.ts';
import { inOneLine } from '../run/log-text.ts';
import type { Run } from '../run/run.ts';

/** Report of an agent at the end of a job. */
export interface JobEnding {
  /** `finished`: the engine exited by itself. `canceled`: the agent stopped it. `failed`: another error. */
  readonly outcome: 'finished' | 'canceled' | 'failed';
  /** Exit code of the engine; 0 for success. */
  readonly exit: number;
  readonly hasChanges: boolean;
  readonly counts: Counts | undefined;
  /** Findings of a health assessment. */
  readonly findings: Findings | undefined;
  /** Engine that the agent used; undefined if the agent does not report it. */
  readonly engine: UsedEngine | undefined;
  /** Providers and modules of the configuration; undefined if the agent does not report them. */
  readonly packages: Packages | undefined;
  /** Reason of a failure; empty if the log has the reason. */
  readonly reason: string;
}

/** Result of a job for its run. */
export type Verdict =
  | { readonly kind: 'planned' | 'applied' }
  /** `reason` is undefined if the log has it. */
  | { readonly kind: 'failed'; readonly reason: string | undefined };

const UNASKED = 'The agent was stopped while it executed the run';

/** Returns the result of a job for a run that is planning or applying. */
export function verdictOf({ status, canceledAt }: Pick<Run, 'status' | 'canceledAt'>, ending: JobEnding): Verdict {
  const { outcome, exit } = ending;
  if (outcome === 'finished' && exit === 0) return { kind: status === 'applying' ? 'applied' : 'planned' };
  if (outcome === 'finished') return { kind: 'failed', reason: undefined };
  if (outcome === 'canceled') return { kind: 'failed', reason: canceledAt === null ? UNASKED : undefined };
  const reason = inOneLine(ending.reason).trim();
  return { kind: 'failed', reason: reason === '' ? 'The agent failed without giving a reason' : reason };
}
