import { isoTime } from '../../../lib/clock.ts';
import type { Settings } from '../model/settings.ts';
import type { Workspace } from '../model/workspace.ts';
import type { Attributes } from './schema.ts';

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR };

const NO_PLAN = { 'auto-destroy-at': null, 'auto-destroy-activity-duration': null };

/** `14d`, `6h` in milliseconds. */
function milliseconds(duration: string): number {
  return Number(duration.slice(0, -1)) * (UNITS[duration.slice(-1)] ?? 0);
}

/**
 * What a client's attributes make of the plan to destroy a workspace (facts §1.14). A duration in place of a time, a time
 * in place of a duration; either ends what the project says. A null clears, the duration its time too and the time its
 * duration, and the project is asked again, unless the client says that it is not to be.
 */
export function nextAutoDestroy(input: Attributes): Partial<Settings> {
  const { 'auto-destroy-at': at, 'auto-destroy-activity-duration': duration } = input;
  const inherits = input['inherits-project-auto-destroy'];
  if (at) return { ...NO_PLAN, 'auto-destroy-at': isoTime(Date.parse(at)), 'inherits-project-auto-destroy': false };
  if (duration) return { 'auto-destroy-at': null, 'destroyed-at': null, 'inherits-project-auto-destroy': false };
  if (at === null || duration === null) return { ...NO_PLAN, 'inherits-project-auto-destroy': inherits ?? true };
  return inherits === true ? NO_PLAN : {};
}

/**
 * What has effect: the workspace's own plan, or that of its project; a duration counts from the last activity, and not
 * before the next one once all is destroyed.
 */
export function autoDestroyOf(workspace: Pick<Workspace, 'settings' | 'inherited' | 'latestChangeAt'>) {
  const { settings, inherited, latestChangeAt } = workspace;
  const inherits = settings['inherits-project-auto-destroy'];
  const duration = inherits ? inherited.autoDestroyActivityDuration : settings['auto-destroy-activity-duration'];
  const { 'destroyed-at': destroyedAt } = settings;
  const isDestroyed = destroyedAt !== null && latestChangeAt <= destroyedAt;
  const counted = duration === null || isDestroyed ? null : isoTime(latestChangeAt + milliseconds(duration));
  const given = inherits ? null : settings['auto-destroy-at'];
  return { 'auto-destroy-activity-duration': duration, 'auto-destroy-at': given ?? counted };
}
