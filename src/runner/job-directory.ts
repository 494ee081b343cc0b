import { lstatSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPLYING, cleanUpJob, folderOf } from './cleanup/cleanup.ts';
import { moveAside, removeDiscarded } from './cleanup/discard.ts';
import { keepBytes, keepFile } from './cleanup/kept-states.ts';
import { createFolders } from './isolation/folders.ts';
import type { JobFolders } from './isolation/isolation.ts';
import { JobFailure } from './ports.ts';
import { STATE_FILE, type StateVersion } from './state/state-file.ts';

/** Run ids and workspace names become names of folders. */
const NAME = /^[\w-]+$/;

/**
 * Directory with the files of a job on this machine. States that could not be uploaded move from there to the folder of
 * kept states.
 */
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
   * Creates the directory of a job.
   * @param base folder of this agent, which no other agent uses. The plan and the apply of a run get the same path in
   *   it: without isolation the engine sees that path, and the plan file contains it.
   * @param workspace name of the workspace
   */
  static async open(base: string, runId: string, workspace: string): Promise<JobDirectory> {
    if (!NAME.test(runId)) throw new JobFailure('The id of the run is invalid');
    if (!NAME.test(workspace)) throw new JobFailure('The name of the workspace is invalid');
    await cleanUpJob(base, runId);
    return new JobDirectory(base, runId, workspace);
  }

  /** Marks the job as applying: from now on its state may be newer than that of the server. */
  markApplying(): void {
    writeFileSync(this.file(APPLYING), '');
  }

  /** Returns the path of a file that the engine does not see. */
  file(name: string): string {
    return join(this.root, name);
  }

  /** Replaces an empty folder of the job by one of an unpacked archive. */
  placeFolder(unpacked: string, folder: 'work' | 'plan'): void {
    renameSync(this.requireFolder(join(unpacked, folder)), this.hostFolders[folder]);
  }

  /** @throws JobFailure if it is missing, or a link */
  requireFolder(folder: string): string {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
    throw new JobFailure('The plan artifact is incomplete');
  }

  /** Keeps a state that could not be uploaded. @returns the path */
  keep({ bytes }: StateVersion): string {
    return this.#keep(() => keepBytes(this.#base, this.#runId, bytes));
  }

  /** Keeps the state file that the engine left, unread. @returns the path; null if there is no file */
  keepStateFile(): string | null {
    return this.#keep(() => keepFile(this.#base, this.#runId, this.#stateFile));
  }

  /** Removes the directory, unless it contains a state that could not be moved elsewhere. */
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
