/** Resource limits of the commands of one job, child processes included. */
export interface JobBounds {
  /** Maximum memory of the job, MiB. */
  readonly memory: number;
  /** Number of processes and threads. */
  readonly processes: number;
  /** Maximum number of open files of each process. */
  readonly files: number;
  /** Maximum size of the job's folders, MiB. */
  readonly disk: number;
  /** Number of processors; null for all. */
  readonly cpus: number | null;
}

/** @limit memory of the commands of a job (`job_memory`), MiB -> the run is stopped with an error */
const MEMORY = 4096;
/** @limit processes and threads of a job (`job_processes`), processes -> the run is stopped with an error */
const PROCESSES = 2048;
/** @limit open files of a process of a job (`job_files`), files -> the process gets an error */
const FILES = 65_536;
/** @limit disk space of a job (`job_disk`), MiB -> the run is stopped with an error */
const DISK = 10_240;

/** Limits of a job whose agent configures none. */
export const DEFAULT_BOUNDS: JobBounds = {
  memory: MEMORY,
  processes: PROCESSES,
  files: FILES,
  disk: DISK,
  cpus: null,
};
