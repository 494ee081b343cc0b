import type { Resources } from '../../api/client.ts';

type Attributes = Resources['workspaces']['attributes'];

/** When all that a workspace manages is to be destroyed, as its form has it. */
export interface AutoDestroyPlan {
  readonly when: 'project' | 'never' | 'at' | 'idle';
  /** `2026-12-24T18:00`, in UTC. */
  readonly at: string;
  /** `14d`, `6h` */
  readonly duration: string;
}

/** Of what it has itself; what it inherits is not in it. */
export function planOf(attributes: Attributes): AutoDestroyPlan {
  const at = attributes['auto-destroy-at'];
  const duration = attributes['auto-destroy-activity-duration'];
  const plan = { at: at?.slice(0, 16) ?? '', duration: duration ?? '14d' };
  if (attributes['inherits-project-auto-destroy']) return { when: 'project', at: '', duration: '14d' };
  if (duration !== null) return { when: 'idle', ...plan, at: '' };
  return { when: at === null ? 'never' : 'at', ...plan };
}

/** What is sent of it. */
export function attributesOf({ when, at, duration }: AutoDestroyPlan) {
  if (when === 'project') return { 'inherits-project-auto-destroy': true };
  if (when === 'never') return { 'auto-destroy-at': null, 'inherits-project-auto-destroy': false };
  return when === 'at' ? { 'auto-destroy-at': `${at}:00Z` } : { 'auto-destroy-activity-duration': duration };
}
