import type { Actor } from './actor.ts';

/**
 * Purpose of a token that is limited to one use, beside job tokens: for the engine of a job, or for the service of a
 * run task.
 */
export type TokenPurpose = 'engine' | 'run-task';

/** Returns the purpose of an actor's token; undefined for a token that is not limited to one purpose. */
export function purposeOf(actor: Actor): TokenPurpose | undefined {
  if (actor.kind === 'task') return 'run-task';
  return actor.kind === 'agent' && actor.job?.isReader ? 'engine' : undefined;
}
