import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolders } from './isolation/folders.ts';
import type { JobFolders } from './isolation/isolation.ts';
import { JobFailure } from './ports.ts';
import type { StateVersion } from './state/state-file.ts';

/** Where a job has its files on this machine; and where it keeps what nobody took. */
export class Room {
  readonly #base: string;
  readonly #runId: string;
  readonly root: string;
  readonly here: JobFolders;

  /**
   * @param base a folder of this agent alone. The plan and the apply of a run have the same path in it: without isolation the
   *   engine sees that path, and a plan keeps it
   */
  constructor(base: string, runId: string) {
    if (!/^[\w-]+$/.test(runId)) throw new JobFailure('The run has an id that is none');
    this.#base = base;
    this.#runId = runId;
    this.root = join(base, 'runs', runId);
    // What is there was left by an agent that was killed.
    remove(this.root);
    this.here = createFolders(this.root);
  }

  /** A file of ours, which the engine does not see. */
  file(name: string): string {
    return join(this.root, name);
  }

  /** Puts what was unpacked elsewhere in the place of a folder that is empty. */
  take(unpacked: string, folder: 'work' | 'plan'): void {
    renameSync(this.whole(join(unpacked, folder)), this.here[folder]);
  }

  /** @throws JobFailure for what is no folder, but a link to one */
  whole(folder: string): string {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
    throw new JobFailure('What the plan left behind is not whole');
  }

  /** Keeps a state that could not be handed over, beyond the job. */
  keep({ bytes }: StateVersion): string {
    const folder = join(this.#base, 'kept');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${this.#runId}.tfstate`);
    writeFileSync(path, bytes, { mode: 0o600, flush: true });
    return path;
  }

  remove(): void {
    remove(this.root);
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Some tools leave folders that nobody may write to.
    makeWritable(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeWritable(folder: string): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) makeWritable(join(folder, name));
}
