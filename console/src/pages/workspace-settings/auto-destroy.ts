import type { Resources } from '../../api/client.ts';

type Attributes = Resources['workspaces']['attributes'];

/** Auto-destroy settings of a workspace, as the form shows them. */
export interface AutoDestroyPlan {
  readonly when: 'project' | 'never' | 'at' | 'idle';
  /** For example `2026-12-24T18:00`, in UTC. */
  readonly at: string;
  /** For example `14d` or `6h`. */
  readonly duration: string;
}

/** Returns the settings of the workspace itself, without inherited values. */
export function planOf(attributes: Attributes): AutoDestroyPlan {
  const at = attributes['auto-destroy-at'];
  const duration = attributes['auto-destroy-activity-duration'];
  const plan = { at: at?.slice(0, 16) ?? '', duration: duration ?? '14d' };
  if (attributes['inherits-project-auto-destroy']) return { when: 'project', at: '', duration: '14d' };
  if (duration !== null) return { when: 'idle', ...plan, at: '' };
  return { when: at === null ? 'never' : 'at', ...plan };
}

/** Returns the attributes of the request. */
export function attributesOf({ when, at, duration }: AutoDestroyPlan) {
  if (when === 'project') return { 'inherits-project-auto-destroy': true };
  if (when === 'never') return { 'auto-destroy-at': null, 'inherits-project-auto-destroy': false };
  return when === 'at' ? { 'auto-destroy-at': `${at}:00Z` } : { 'auto-destroy-activity-duration': duration };
}

/** Returns whether a time of the form is in the past. */
export function hasPassed(at: string, now = Date.now()): boolean {
  return at !== '' && Date.parse(`${at}:00Z`) <= now;
}
