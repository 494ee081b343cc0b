import { isSameJson } from '../../lib/exact-json/exact-json.ts';
import type { Engine } from '../engine/kinds.ts';
import { isNewer } from '../engine/version.ts';
import type { JobVariable } from '../job.ts';
import type { PlannedVariables } from './facts.ts';

/** The last releases without ephemeral variables: they refuse any variable beside a saved plan. */
const LAST_WITHOUT = { terraform: '1.9.99', opentofu: '1.10.99' } as const;

/**
 * Returns the variables of a job that the apply of its plan has to be given again, with the values of the plan. A plan does not keep the
 * values of ephemeral variables. OpenTofu also compares all others with those of the plan, and would find another value in files of the
 * configuration (`*.auto.tfvars`), over which the variables of a job have precedence.
 */
export function applyVariables(
  variables: readonly JobVariable[],
  { declared, values }: PlannedVariables,
  { kind, version }: Engine,
): JobVariable[] {
  if (!isNewer(version, LAST_WITHOUT[kind])) return [];
  /** Terraform does not say which are ephemeral: in place of their values the plan has defaults, or nothing. */
  const mayBeEphemeral = (name: string): boolean =>
    !values.has(name) || isSameJson(values.get(name), declared.get(name)?.default);
  const isNeeded = (name: string): boolean => declared.has(name) && (kind === 'opentofu' || mayBeEphemeral(name));
  return variables.filter(({ key, category }) => category === 'terraform' && isNeeded(key));
}
