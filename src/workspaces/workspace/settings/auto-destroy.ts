import { isoTime } from '../../../lib/clock.ts';
import type { Settings } from '../model/settings.ts';
import type { Workspace } from '../model/workspace.ts';
import type { Attributes } from './schema.ts';

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR };

const NO_PLAN = { 'auto-destroy-at': null, 'auto-destroy-activity-duration': null };

/** Converts `14d` or `6h` to milliseconds. */
function milliseconds(duration: string): number {
  return Number(duration.slice(0, -1)) * (UNITS[duration.slice(-1)] ?? 0);
}

/**
 * Applies a client's attributes to the auto-destroy settings. A duration replaces a time and vice versa;
 * both override the project's setting. Null clears a duration and its time, or a time and its duration; the project's
 * setting then applies again, unless the client opts out of it.
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
 * Returns the effective auto-destroy setting: the workspace's own, or the project's. A duration counts from the last
 * activity; after everything is destroyed it starts with the next activity.
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
