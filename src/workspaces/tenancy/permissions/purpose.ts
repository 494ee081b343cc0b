import type { Actor } from './actor.ts';

/** Tokens that are handed out for one purpose, beside that of a job: to the engine of a job, and to the service of a run task. */
export type TokenPurpose = 'engine' | 'run-task';

/** Returns undefined for an actor whose token is not limited to one purpose. */
export function purposeOf(actor: Actor): TokenPurpose | undefined {
  if (actor.kind === 'task') return 'run-task';
  return actor.kind === 'agent' && actor.job?.isReader ? 'engine' : undefined;
}
