import { isNewer } from '../../lib/engines/version.ts';
import type { Job } from '../job.ts';
import { JobFailure } from '../ports.ts';
import type { Engine } from './kinds.ts';
import { inWords } from './missing.ts';

/** The newest Terraform without `-invoke`: prereleases of 1.14.0 have it. */
const LAST_WITHOUT = '1.13.999';

/**
 * Refuses a plan that invokes actions if its engine cannot invoke them.
 * @param engine that runs, even if the job requested another one
 * @throws JobFailure
 */
export function checkActions({ phase, parameters }: Job, { kind, version }: Engine): void {
  if (phase === 'apply' || parameters.invokes.length === 0) return;
  if (kind === 'terraform' && isNewer(version, LAST_WITHOUT)) return;
  throw new JobFailure(
    `${inWords(kind, version)} cannot invoke actions, and this run invokes ${parameters.invokes.join(', ')}. ` +
      'Set the engine of the workspace to Terraform 1.14 or later, or start a run without actions',
  );
}
