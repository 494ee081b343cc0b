import { isDeepStrictEqual } from 'node:util';
import type { Engine } from '../engine/kinds.ts';
import { isNewer } from '../engine/version.ts';
import type { JobVariable } from '../job.ts';
import type { PlannedVariables } from './facts.ts';

/** The last release of Terraform without ephemeral variables: it refuses any variable beside a saved plan. */
const LAST_WITHOUT = '1.9.99';

/**
 * Variables of a job that the apply of a plan has to be given again: a plan does not keep the values of ephemeral ones. Others are not
 * among them, but for those of Terraform that are set to their default, which do no harm.
 */
export function ephemeralVariables(
  variables: readonly JobVariable[],
  { declared, values }: PlannedVariables,
  engine: Engine,
): JobVariable[] {
  const isEphemeral = (name: string): boolean => {
    const declaration = declared.get(name);
    if (declaration === undefined) return false;
    if (engine.kind === 'opentofu') return declaration.ephemeral === true;
    if (!isNewer(engine.version, LAST_WITHOUT)) return false;
    return !values.has(name) || ('default' in declaration && isDeepStrictEqual(values.get(name), declaration.default));
  };
  return variables.filter(({ key, category }) => category === 'terraform' && isEphemeral(key));
}
