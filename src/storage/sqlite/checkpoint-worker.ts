import { parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from './connection.ts';
import { isDiskFailure } from './errors.ts';

/** What the main thread asks of this one, one after the other. */
export type CheckpointStep = 'copy' | 'restart' | 'close';

export interface CheckpointAnswer {
  /** What went wrong. */
  readonly error?: string;
  readonly diskFailed: boolean;
}

const { file } = workerData as { readonly file: string };
const connection = new SqliteConnection(file, { readOnly: false, synchronous: 'FULL' });
const copy = connection.command('PRAGMA wal_checkpoint(PASSIVE)');
const restart = connection.command('PRAGMA wal_checkpoint(RESTART)');
const write = connection.command('PRAGMA user_version = 0');
/** Milliseconds: nobody writes meanwhile, and whoever reads a backup reads for minutes. */
const waitBriefly = connection.command('PRAGMA busy_timeout = 20');
const wait = connection.command('PRAGMA busy_timeout = 5000');

const steps: Record<CheckpointStep, () => void> = {
  /** Writes into the database what no reader still needs from the log, while others read and write. */
  copy: () => void copy(),
  /** Writes the rest, and has the log begin anew. The first write after that syncs the log's header: it is made here. */
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
