import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { relative } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MAX_JOB_STATE } from '../lib/job/limits.ts';
import { bytesUntilStopped, untilStopped } from '../lib/until-stopped.ts';
import type { Engine } from './engine/kinds.ts';
import type { Steps } from './engine/steps.ts';
import type { JobFolders } from './isolation/isolation.ts';
import type { Job } from './job.ts';
import type { JobDirectory } from './job-directory.ts';
import type { JobLog } from './log/job-log.ts';
import { type Content, type Inputs, JobFailure, type Outputs } from './ports.ts';
import { STATE_FILE } from './state/state-file.ts';
import type { Stopping } from './stopping.ts';

/** Dependencies of a plan or an apply. */
export interface Work {
  readonly job: Job;
  readonly engine: Engine;
  readonly inputs: Inputs;
  readonly outputs: Outputs;
  readonly log: JobLog;
  readonly stopping: Stopping;
  readonly directory: JobDirectory;
  /** The folders as the engine sees them. */
  readonly engineFolders: JobFolders;
  /** @param cwd working directory, as the engine sees it */
  steps(cwd: string): Steps;
}

/** Returns the path of the state file. */
export const stateFile = ({ state }: JobFolders): string => `${state}/${STATE_FILE}`;

/** Returns a folder of the configuration as the engine sees it. */
export const engineFolder = ({ directory, engineFolders }: Work, folder: string): string =>
  [engineFolders.work, relative(directory.hostFolders.work, folder)].filter(Boolean).join('/');

/** Downloads the current state to the path where the engine looks for it. */
export async function placeState({ inputs, directory, stopping }: Work): Promise<void> {
  const state = await untilStopped(inputs.state(), stopping.interrupted);
  if (state === null) return;
  let length = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > MAX_JOB_STATE) done(new JobFailure(`The state is larger than ${MAX_JOB_STATE} bytes`));
      else done(null, chunk);
    },
  });
  const source = Readable.from(bytesUntilStopped(state, stopping.interrupted), { objectMode: false });
  const file = createWriteStream(stateFile(directory.hostFolders), { mode: 0o600 });
  await pipeline(source, bounded, file, { signal: stopping.interrupted });
}

/** Returns a file as content that can be uploaded. */
export const contentOf = (path: string): Content => ({
  size: statSync(path).size,
  open: () => createReadStream(path),
});
