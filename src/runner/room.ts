import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolders, STATES } from './isolation/folders.ts';
import type { JobFolders } from './isolation/isolation.ts';
import { JobFailure } from './ports.ts';
import { readStateFile, STATE_FILE, type StateVersion } from './state/state-file.ts';

const RUNS = 'runs';
const KEPT = 'kept';
const SUFFIX = '.tfstate';
/** Both become names of folders. */
const NAME = /^[\w-]+$/;
/** Says that the state in a folder is worth keeping. */
const APPLYING = 'applying';

/** Where a job has its files on this machine; and where it keeps what nobody took. */
export class Room {
  readonly #base: string;
  readonly #runId: string;
  #isLeft = false;
  readonly root: string;
  readonly here: JobFolders;

  private constructor(base: string, runId: string, workspace: string) {
    this.#base = base;
    this.#runId = runId;
    this.root = join(base, RUNS, runId);
    this.here = createFolders(this.root, workspace);
  }

  /**
   * @param base a folder of this agent alone. The plan and the apply of a run have the same path in it: without isolation the
   *   engine sees that path, and a plan keeps it
   * @param workspace its name
   */
  static async open(base: string, runId: string, workspace: string): Promise<Room> {
    if (!NAME.test(runId)) throw new JobFailure('The run has an id that is none');
    if (!NAME.test(workspace)) throw new JobFailure('The workspace has a name that is none');
    await keepWhatIsLeft(base, runId);
    return new Room(base, runId, workspace);
  }

  /** From now on the state in it may be newer than what anybody else has. */
  stateMayChange(): void {
    writeFileSync(this.file(APPLYING), '');
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
  keep(version: StateVersion): string {
    try {
      return keep(this.#base, this.#runId, version);
    } catch {
      // Where the disk is full it stays where the engine wrote it, until the agent begins anew.
      this.#isLeft = true;
      return join(this.here.state, STATE_FILE);
    }
  }

  /** All but a state that could be kept nowhere else. */
  remove(): void {
    if (!this.#isLeft) remove(this.root);
  }
}

/** A state that an agent keeps, since nobody took it. */
export interface KeptState {
  readonly runId: string;
  readonly path: string;
}

/**
 * What agents that were killed left in their folder: of applies, the state is kept, and all else is removed. Before an agent begins.
 * @returns all states that are kept, until somebody removes them
 */
export async function keptStates(base: string): Promise<KeptState[]> {
  for (const runId of namesIn(join(base, RUNS))) await keepWhatIsLeft(base, runId);
  const names = namesIn(join(base, KEPT)).filter((name) => name.endsWith(SUFFIX));
  return names.map((name) => ({
    runId: name.slice(0, -SUFFIX.length),
    path: join(base, KEPT, name),
  }));
}

async function keepWhatIsLeft(base: string, runId: string): Promise<void> {
  const root = join(base, RUNS, runId);
  if (existsSync(join(root, APPLYING))) {
    const [workspace = ''] = namesIn(join(root, STATES));
    const version = await readStateFile(join(root, STATES, workspace, STATE_FILE));
    if (version !== null) keep(base, runId, version);
  }
  remove(root);
}

function keep(base: string, runId: string, { bytes }: StateVersion): string {
  const folder = join(base, KEPT);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${runId}${SUFFIX}`);
  const begun = `${path}.begun`;
  try {
    writeFileSync(begun, bytes, { mode: 0o600, flush: true });
    renameSync(begun, path);
  } finally {
    rmSync(begun, { force: true });
  }
  return path;
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

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
