import type { JobBounds } from '../../../lib/job/bounds.ts';

/** Setting of the bound that a command hit. */
export type Bound = 'job_memory' | 'job_processes' | 'job_disk';

export const MEGABYTE = 1_048_576;

/** Returns the reason for a run that hit a bound, as a message for users. */
export function hitInWords(bound: Bound, { memory, processes, disk }: JobBounds): string {
  const what = {
    job_memory: `${memory} MiB of memory`,
    job_processes: `${processes} processes and threads`,
    job_disk: `${disk} MiB of disk`,
  };
  return `The run used more than the ${what[bound]} that a job may use here (${bound} of the agent), so the agent stopped it`;
}
