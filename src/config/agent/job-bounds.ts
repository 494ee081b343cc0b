import Type, { type Static } from 'typebox';
import { DEFAULT_BOUNDS, type JobBounds } from '../../lib/job/bounds.ts';
import { defaulted, optional } from '../setting.ts';

const MEBIBYTES = Type.Integer({ minimum: 16, maximum: 16_777_216 });
const { memory, processes, files, disk } = DEFAULT_BOUNDS;

/** Settings that limit the resources of one job. Every kind of agent has them. */
export const jobBounds = {
  job_memory: defaulted(
    { ...MEBIBYTES, default: memory },
    '16 to 16777216 MiB',
    'Maximum memory of all processes of a job together. A delegated control group enforces it (systemd: Delegate=memory pids cpu). Without one the agent limits each process, and checks the sum twice a second. A run that exceeds the limit is killed, and its log names the setting. A process whose allocation fails prints its own error.',
  ),
  job_processes: defaulted(
    Type.Integer({ minimum: 16, maximum: 1_048_576, default: processes }),
    '16 to 1048576',
    'Maximum number of processes and threads of a job.',
  ),
  job_files: defaulted(
    Type.Integer({ minimum: 64, maximum: 1_048_576, default: files }),
    '64 to 1048576',
    'Maximum number of open files of each process of a job.',
  ),
  job_disk: defaulted(
    { ...MEBIBYTES, default: disk },
    '16 to 16777216 MiB',
    'Maximum disk space of the folders of a job.',
  ),
  job_cpus: optional(
    Type.Number({ minimum: 0.1, maximum: 1024 }),
    '0.1 to 1024',
    'Maximum number of processors of a job. It has an effect only with a control group; without one a job may use all processors. Jobs have a lower priority than the agent.',
  ),
};

const schema = Type.Object(jobBounds);

export function toJobBounds(tree: Static<typeof schema>): JobBounds {
  return {
    memory: tree.job_memory,
    processes: tree.job_processes,
    files: tree.job_files,
    disk: tree.job_disk,
    cpus: tree.job_cpus ?? null,
  };
}

/** Returns the limits in the agent's form. Settings without a value are null. */
export const asSettings = ({ memory, processes, files, disk, cpus }: JobBounds) => ({
  job_memory: memory,
  job_processes: processes,
  job_files: files,
  job_disk: disk,
  job_cpus: cpus,
});
