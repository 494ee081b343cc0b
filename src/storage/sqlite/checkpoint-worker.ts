import { parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from './connection.ts';
import { isDiskFailure } from './errors.ts';

/** Commands of the main thread, executed in order. */
export type CheckpointStep = 'copy' | 'restart' | 'close';

export interface CheckpointAnswer {
  /** Message of the error, if the step failed. */
  readonly error?: string;
  readonly diskFailed: boolean;
}

const { file } = workerData as { readonly file: string };
const connection = new SqliteConnection(file, { readOnly: false, synchronous: 'FULL' });
const copy = connection.command('PRAGMA wal_checkpoint(PASSIVE)');
const restart = connection.command('PRAGMA wal_checkpoint(RESTART)');
const write = connection.command('PRAGMA user_version = 0');
/** Milliseconds. Short, because writers are blocked meanwhile, and a backup may read for minutes. */
const waitBriefly = connection.command('PRAGMA busy_timeout = 20');
const wait = connection.command('PRAGMA busy_timeout = 5000');

const steps: Record<CheckpointStep, () => void> = {
  /** Copies pages that no reader needs from the log to the database, while others read and write. */
  copy: () => void copy(),
  /**
   * Copies the rest and restarts the log. The first write after that syncs the log's header, so the worker makes this
   * write.
   */
  restart: () => {
    waitBriefly();
    restart();
    wait();
    write();
  },
  close: () => connection.close(),
};

function perform(step: CheckpointStep): CheckpointAnswer {
  try {
    steps[step]();
    return { diskFailed: false };
  } catch (error) {
    return { error: String(error), diskFailed: isDiskFailure(error) };
  }
}

parentPort?.on('message', (step: CheckpointStep) => {
  parentPort?.postMessage(perform(step));
  if (step === 'close') parentPort?.close();
});
