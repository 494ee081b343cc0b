import { isoTime } from '../../../lib/clock.ts';
import type { Settings } from '../model/settings.ts';
import type { AutoDestroyOutcome, Workspace } from '../model/workspace.ts';

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR };

/** Converts `14d` or `6h` to milliseconds. A day has 24 hours, also when the clocks of a region change. */
function milliseconds(duration: string): number {
  return Number(duration.slice(0, -1)) * (UNITS[duration.slice(-1)] ?? 0);
}

/** Returns whether the settings plan the same destroy run, for a workspace that stays in its project. */
export function plansTheSame(before: Settings, after: Settings): boolean {
  return (
    before['auto-destroy-at'] === after['auto-destroy-at'] &&
    before['auto-destroy-activity-duration'] === after['auto-destroy-activity-duration'] &&
    before['inherits-project-auto-destroy'] === after['inherits-project-auto-destroy']
  );
}

/** Setting in effect that destroys all resources. */
export interface AutoDestroyPlan {
  /** at: a fixed time; idle: a duration without activity. */
  readonly kind: 'at' | 'idle';
  /** Owner of the setting. */
  readonly source: 'workspace' | 'project';
  /** Duration without activity: `14d`, `6h`; null with a fixed time. */
  readonly duration: string | null;
  /** Last activity, in milliseconds since 1970; null with a fixed time. */
  readonly activeAt: number | null;
  /** Milliseconds since 1970; null while everything is destroyed: a duration then waits for the next activity. */
  readonly dueAt: number | null;
}

type Planned = Pick<Workspace, 'settings' | 'inherited' | 'latestChangeAt' | 'workedAt'>;

/**
 * Returns the setting in effect: the workspace's own, or the project's. A duration counts from the newest state
 * version, or from the newest run that could change the workspace. Undefined: there is no setting.
 */
export function autoDestroyPlan({
  settings,
  inherited,
  latestChangeAt,
  workedAt,
}: Planned): AutoDestroyPlan | undefined {
  const inherits = settings['inherits-project-auto-destroy'];
  const source = inherits ? 'project' : 'workspace';
  const at = inherits ? null : settings['auto-destroy-at'];
  if (at !== null) return { kind: 'at', source, duration: null, activeAt: null, dueAt: Date.parse(at) };
  const duration = inherits ? inherited.autoDestroyActivityDuration : settings['auto-destroy-activity-duration'];
  if (duration === null) return undefined;
  const { 'destroyed-at': destroyedAt } = settings;
  const isDestroyed = destroyedAt !== null && latestChangeAt <= destroyedAt;
  const activeAt = Math.max(latestChangeAt, workedAt ?? 0);
  return { kind: 'idle', source, duration, activeAt, dueAt: isDestroyed ? null : activeAt + milliseconds(duration) };
}

const NOTHING: AutoDestroyOutcome = { status: null, at: null, explanation: null, runId: null, nextAttemptAt: null };

/**
 * Returns the attributes of auto-destroy. The outcome of a destroy run that is due replaces what the settings plan.
 */
export function autoDestroyOf(workspace: Planned & Pick<Workspace, 'autoDestroy'>) {
  const plan = autoDestroyPlan(workspace);
  const outcome = workspace.autoDestroy ?? (plan === undefined ? NOTHING : scheduled(plan));
  return {
    'auto-destroy-activity-duration': plan?.duration ?? null,
    'auto-destroy-at': timeOf(outcome.at ?? plan?.dueAt ?? null),
    'auto-destroy-status': outcome.status,
    'auto-destroy-explanation': outcome.explanation,
    'auto-destroy-next-attempt-at': timeOf(outcome.nextAttemptAt),
    'auto-destroy-run-id': outcome.runId,
    'auto-destroy-source': plan?.source ?? null,
  };
}

const timeOf = (time: number | null) => (time === null ? null : isoTime(time));

function scheduled({ kind, source, duration, dueAt }: AutoDestroyPlan): AutoDestroyOutcome {
  if (dueAt === null) {
    const explanation = `All resources are destroyed. The period of ${duration} counts again from the next activity.`;
    return { ...NOTHING, explanation };
  }
  const why =
    kind === 'at'
      ? 'the auto-destroy time of the workspace'
      : `${duration} without activity, as the ${source === 'project' ? 'project' : 'workspace'} requires`;
  return { ...NOTHING, status: 'scheduled', explanation: `All resources are destroyed at ${isoTime(dueAt)}: ${why}.` };
}
