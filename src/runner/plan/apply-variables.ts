import { isNewer } from '../../lib/engines/version.ts';
import { isSameJson } from '../../lib/exact-json/exact-json.ts';
import type { Engine } from '../engine/kinds.ts';
import type { JobVariable } from '../job.ts';
import type { PlannedVariables } from './facts.ts';

/** Last releases without ephemeral variables. They accept no variables with a saved plan. */
const LAST_WITHOUT = { terraform: '1.9.99', opentofu: '1.10.99' } as const;

/**
 * Returns the variables that the apply of a plan needs again, with the values of the plan. A plan does not contain the
 * values of ephemeral variables. OpenTofu also compares all other variables with the plan, and without these it would
 * use values from files of the configuration (`*.auto.tfvars`), over which the variables of a job take precedence.
 */
export function applyVariables(
  variables: readonly JobVariable[],
  { declared, values }: PlannedVariables,
  { kind, version }: Engine,
): JobVariable[] {
  if (!isNewer(version, LAST_WITHOUT[kind])) return [];
  /** Terraform does not mark ephemeral variables in the plan: it has their default, or no value. */
  const mayBeEphemeral = (name: string): boolean =>
    !values.has(name) || isSameJson(values.get(name), declared.get(name)?.default);
  const isNeeded = (name: string): boolean => declared.has(name) && (kind === 'opentofu' || mayBeEphemeral(name));
  return variables.filter(({ key, category }) => category === 'terraform' && isNeeded(key));
}
