import type { Actor } from './actor.ts';

/**
 * Purpose of a token that is limited to one use, beside job tokens: for the engine of a job, or for the service of a
 * run task.
 */
export type TokenPurpose = 'engine' | 'run-task';

/** Returns undefined for an actor whose token is not limited to one purpose. */
export function purposeOf(actor: Actor): TokenPurpose | undefined {
  if (actor.kind === 'task') return 'run-task';
  return actor.kind === 'agent' && actor.job?.isReader ? 'engine' : undefined;
}
