/** Resource bounds of the commands of one job, child processes included. */
export interface JobBounds {
  /** MiB. */
  readonly memory: number;
  /** Processes and threads. */
  readonly processes: number;
  /** Open files of each process. */
  readonly files: number;
  /** MiB of the folders of the job. */
  readonly disk: number;
  /** Processors; null for all. */
  readonly cpus: number | null;
}

/** @limit memory of the commands of a job, unless `job_memory` says otherwise, MiB -> the run is ended, and says so */
const MEMORY = 4096;
/** @limit processes and threads of a job, unless `job_processes` says otherwise, processes -> the run is ended, and says so */
const PROCESSES = 2048;
/** @limit files that a process of a job may have open, unless `job_files` says otherwise, files each -> it gets an error */
const FILES = 65_536;
/** @limit disk of a job, unless `job_disk` says otherwise, MiB -> the run is ended, and says so */
const DISK = 10_240;

/** Bounds of a job whose agent sets none. */
export const DEFAULT_BOUNDS: JobBounds = {
  memory: MEMORY,
  processes: PROCESSES,
  files: FILES,
  disk: DISK,
  cpus: null,
};
