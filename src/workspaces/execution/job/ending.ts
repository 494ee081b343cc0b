import type { Findings } from '../lifecycle/assessment.ts';
import type { UsedEngine } from '../lifecycle/engine.ts';
import type { Counts } from '../lifecycle/phase.ts';
import { inOneLine } from '../run/log-text.ts';
import type { Run } from '../run/run.ts';

/** What whoever carried out a job tells of its end. */
export interface JobEnding {
  /** The engine ended by itself; it was stopped; something else went wrong. */
  readonly outcome: 'finished' | 'canceled' | 'failed';
  /** 0 for success. */
  readonly exit: number;
  readonly hasChanges: boolean;
  readonly counts: Counts | undefined;
  /** Of a plan that looks at what is there: what it found. */
  readonly findings: Findings | undefined;
  /** Undefined where nobody says. */
  readonly engine: UsedEngine | undefined;
  /** Empty where the log says it. */
  readonly reason: string;
}

/** What becomes of the run. */
export type Verdict =
  | { readonly kind: 'planned' | 'applied' }
  /** `reason` is undefined where the log says it. */
  | { readonly kind: 'failed'; readonly reason: string | undefined };

const UNASKED = 'The agent was stopped while it carried the run out';

/** What an end of its job means for a run that is planning or applying. */
export function verdictOf({ status, canceledAt }: Pick<Run, 'status' | 'canceledAt'>, ending: JobEnding): Verdict {
  const { outcome, exit } = ending;
  if (outcome === 'finished' && exit === 0) return { kind: status === 'applying' ? 'applied' : 'planned' };
  if (outcome === 'finished') return { kind: 'failed', reason: undefined };
  if (outcome === 'canceled') return { kind: 'failed', reason: canceledAt === null ? UNASKED : undefined };
  const reason = inOneLine(ending.reason).trim();
  return { kind: 'failed', reason: reason === '' ? 'The agent failed, and did not say why' : reason };
}
