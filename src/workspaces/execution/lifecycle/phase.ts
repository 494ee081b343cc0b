import { isFinal, type RunStatus } from './status.ts';

/** Phases of a run. */
export type PhaseKind = 'plan' | 'apply';

/** Statuses of a phase. */
export const PHASE_STATUSES = [
  'pending',
  'queued',
  'running',
  'finished',
  'errored',
  'canceled',
  'unreachable',
] as const;
export type PhaseStatus = (typeof PHASE_STATUSES)[number];

/** Number of resources that a phase changes. */
export interface Counts {
  readonly additions: number;
  readonly changes: number;
  readonly destructions: number;
  readonly imports: number;
}

/** Returns whether anything would change. */
export function isChange({ additions, changes, destructions, imports }: Counts): boolean {
  return additions + changes + destructions + imports > 0;
}

/** The plan or the apply of a run. Times are milliseconds since 1970. */
export interface Phase extends Counts {
  readonly id: string;
  readonly runId: string;
  readonly kind: PhaseKind;
  readonly status: PhaseStatus;
  readonly timestamps: Readonly<Record<string, number>>;
  readonly logBytes: number;
  /** Number of bytes at the start of the log that the server wrote before the phase started. */
  readonly prefaceBytes: number;
}

const BEGINS: Readonly<Record<PhaseKind, Partial<Readonly<Record<RunStatus, PhaseStatus>>>>> = {
  plan: { plan_queued: 'queued', planning: 'running' },
  apply: { apply_queued: 'queued', applying: 'running' },
};
const AFTER_APPLY: readonly RunStatus[] = ['post_apply_running', 'post_apply_completed', 'applied'];
const TIMES: Partial<Readonly<Record<PhaseStatus, string>>> = {
  queued: 'queued',
  running: 'started',
  finished: 'finished',
  errored: 'errored',
  canceled: 'canceled',
};

/** Returns the phase that is queued or running while its run has that status. */
export function phaseDuring(status: RunStatus): PhaseKind | undefined {
  return (['plan', 'apply'] as const).find((kind) => status in BEGINS[kind]);
}

/** Returns whether the status is final. */
export function isPhaseOver(status: PhaseStatus): boolean {
  return !['pending', 'queued', 'running'].includes(status);
}

/** Returns the phase after its run has changed to `status`: the same object if the status does not affect it. */
export function phaseAfter(phase: Phase, status: RunStatus, now: number): Phase {
  const next = statusAfter(phase, status);
  if (next === phase.status) return phase;
  const time = TIMES[next];
  const forced = status === 'force_canceled' && next === 'canceled' ? { 'force-canceled': now } : {};
  return { ...phase, status: next, timestamps: { ...phase.timestamps, ...(time && { [time]: now }), ...forced } };
}

function statusAfter({ kind, status: current }: Phase, status: RunStatus): PhaseStatus {
  if (isPhaseOver(current)) return current;
  const begun = BEGINS[kind][status];
  if (begun) return begun;
  if (kind === 'apply' && AFTER_APPLY.includes(status)) return 'finished';
  if (status === 'errored') return current === 'pending' ? 'unreachable' : 'errored';
  if (status === 'canceled' || status === 'force_canceled') return current === 'pending' ? 'unreachable' : 'canceled';
  if (kind === 'plan' && current === 'running') return 'finished';
  return isFinal(status) ? 'unreachable' : current;
}
