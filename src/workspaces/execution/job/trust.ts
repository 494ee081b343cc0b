import type { OpenVariable } from '../../variables/index.ts';
import { isAssessment, type Run } from '../run/run.ts';

/** Properties of a run by which its secrets are withheld. */
type Trusted = Pick<Run, 'operation' | 'parameters' | 'untrusted'>;

/**
 * Returns whether the run only plans what somebody proposes: a pull request, or a plan that a user asked for. A health
 * assessment plans what was applied.
 */
export function isSpeculative(run: Pick<Run, 'operation' | 'parameters'>): boolean {
  return run.parameters['plan-only'] && !isAssessment(run);
}

/**
 * Returns the variables that the run gets: a speculative plan none with `apply-only`, and a plan of a stranger's
 * configuration no sensitive ones either.
 */
export function variablesFor(run: Trusted, variables: readonly OpenVariable[]): readonly OpenVariable[] {
  if (!isSpeculative(run) && !run.untrusted) return variables;
  return variables.filter(({ applyOnly, sensitive }) => !applyOnly && !(run.untrusted && sensitive));
}
