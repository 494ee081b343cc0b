/** Number of finished runs from which metrics are computed (spec §2.2). */
export const MEASURED_RUNS = 30;

/** One phase of a finished run. Times are JSON of milliseconds since 1970. */
export interface MeasuredPhase {
  readonly status: string;
  readonly kind: string;
  readonly timestamps: string;
}

/** Returns the metrics of a workspace from both phases of its finished runs (spec §2.2). Durations are milliseconds. */
export function performanceOf(phases: readonly MeasuredPhase[]) {
  const plans = phases.filter(({ kind }) => kind === 'plan');
  const applies = phases.filter(({ kind }) => kind === 'apply');
  return {
    ...average('plan-duration-average', plans),
    ...average('apply-duration-average', applies),
    'policy-check-failures': 0,
    'run-failures': plans.filter(({ status }) => status === 'errored').length,
    'workspace-kpis-runs-count': plans.length,
  };
}

function average(name: string, phases: readonly MeasuredPhase[]): Record<string, number> {
  const durations = phases.flatMap(durationOf);
  if (durations.length === 0) return {};
  return { [name]: Math.round(durations.reduce((sum, duration) => sum + duration, 0) / durations.length) };
}

/** Returns the duration of a phase; empty for a phase that did not start or did not complete. */
function durationOf({ timestamps }: MeasuredPhase): number[] {
  const { started, finished } = JSON.parse(timestamps) as { started?: number; finished?: number };
  return started === undefined || finished === undefined ? [] : [finished - started];
}
