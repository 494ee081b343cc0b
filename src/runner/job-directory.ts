import { lstatSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPLYING, cleanUpJob, folderOf } from './cleanup/cleanup.ts';
import { moveAside, removeDiscarded } from './cleanup/discard.ts';
import { keepBytes, keepFile } from './cleanup/kept-states.ts';
import { createFolders } from './isolation/folders.ts';
import type { JobFolders } from './isolation/isolation.ts';
import { JobFailure } from './ports.ts';
import { STATE_FILE, type StateVersion } from './state/state-file.ts';

/** The ids of runs and the names of workspaces become names of folders. */
const NAME = /^[\w-]+$/;

/** Where a job has its files on this machine; and where it keeps what nobody took. */
export class JobDirectory {
  readonly #base: string;
  readonly #runId: string;
  #isLeft = false;
  readonly root: string;
  readonly hostFolders: JobFolders;

  private constructor(base: string, runId: string, workspace: string) {
    this.#base = base;
    this.#runId = runId;
    this.root = folderOf(base, runId);
    this.hostFolders = createFolders(this.root, workspace);
  }

  /**
   * @param base a folder of this agent alone. The plan and the apply of a run have the same path in it: without isolation the
   *   engine sees that path, and a plan keeps it
   * @param workspace its name
   */
  static async open(base: string, runId: string, workspace: string): Promise<JobDirectory> {
    if (!NAME.test(runId)) throw new JobFailure('The run has an id that is none');
    if (!NAME.test(workspace)) throw new JobFailure('The workspace has a name that is none');
    await cleanUpJob(base, runId);
    return new JobDirectory(base, runId, workspace);
  }

  /** From now on the state in it may be newer than what anybody else has. */
  markApplying(): void {
    writeFileSync(this.file(APPLYING), '');
  }

  /** A file of ours, which the engine does not see. */
  file(name: string): string {
    return join(this.root, name);
  }

  /** Puts what was unpacked elsewhere in the place of a folder that is empty. */
  placeFolder(unpacked: string, folder: 'work' | 'plan'): void {
    renameSync(this.requireFolder(join(unpacked, folder)), this.hostFolders[folder]);
  }

  /** @throws JobFailure for what is no folder, but a link to one */
  requireFolder(folder: string): string {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
    throw new JobFailure('What the plan left behind is not whole');
  }

  /** Keeps a state that could not be handed over, beyond the job. @returns where */
  keep({ bytes }: StateVersion): string {
    return this.#keep(() => keepBytes(this.#base, this.#runId, bytes));
  }

  /** Keeps the file that the engine left as its state, as it is. @returns where; null where there is no file */
  keepStateFile(): string | null {
    return this.#keep(() => keepFile(this.#base, this.#runId, this.#stateFile));
  }

  /** All but a state that could be kept nowhere else. */
  async remove(): Promise<void> {
    if (!this.#isLeft) await removeDiscarded(moveAside(this.#base, this.root));
  }

  get #stateFile(): string {
    return join(this.hostFolders.state, STATE_FILE);
  }

  #keep<Path extends string | null>(work: () => Path): Path | string {
    try {
      return work();
    } catch {
      // If the disk is full the state stays where the engine wrote it. The agent keeps it at its next start.
      this.#isLeft = true;
      return this.#stateFile;
    }
  }
}
