import type { BackgroundTask, BackgroundWork, Leadership } from '../../../lib/background/background-work.ts';
import { PeriodicTask } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import { nextTurn } from '../../../lib/slices.ts';
import { type Blob, type Blobs, type Database, type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { READ_FORMAT } from '../reader/readable.ts';
import { StateReader } from '../reader/state-reader.ts';
import { sealSummary } from './summary.ts';

/** Workspaces that one step looks at. */
const STEP = 50;
/** Milliseconds between the steps of a round, and between rounds. A round finds nothing unless an older program ran. */
const PAUSE = 100;
const REST = 24 * 3_600_000;

const BACKFILL: TaskDefinition = {
  name: 'state-summaries',
  description: 'Summarizes states for the explorer that were stored by an earlier version.',
  runsOn: 'leader',
  period: REST,
};

interface Row {
  readonly id: string;
  /** Null if the workspace has a summary, or no state that is parsed. */
  readonly name: string | null;
  readonly dataKey: Uint8Array | null;
}

const selectSome = sql<{ after: string; limit: number; format: number }, Row>(
  `SELECT w.id, b.name, b.data_key AS "dataKey" FROM workspace w
     LEFT JOIN state_version s ON s.id = w.current_state_version_id
     LEFT JOIN state_content c ON c.blob_name = s.state_blob AND c.summary IS NULL AND c.format = :format
     LEFT JOIN blob b ON b.name = c.blob_name
   WHERE w.id > :after ORDER BY w.id LIMIT :limit`,
);
const fillIn = sql<{ name: string; summary: Uint8Array }>(
  'UPDATE state_content SET summary = :summary WHERE blob_name = :name AND summary IS NULL',
);
const noteChange = sql<{ id: string }>('UPDATE workspace SET version = version + 1 WHERE id = :id');

/**
 * Fills in the summaries of current states from before the column existed. Goes through the workspaces by id, in steps;
 * a new leader starts again, and skips what is done.
 */
export class UsesBackfill implements BackgroundWork {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #steps: PeriodicTask;
  #after = '';

  constructor(database: Database, blobs: Blobs, report: (error: unknown) => void) {
    this.#database = database;
    this.#blobs = blobs;
    const step = async () => ((await this.step()) ? PAUSE : REST);
    this.#steps = new PeriodicTask({ task: BACKFILL, step, first: PAUSE, afterFailure: REST / 24, report });
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#steps.tasks;
  }

  start(leadership?: Leadership): void {
    this.#steps.start(leadership);
  }

  stop(): Promise<void> {
    return this.#steps.stop();
  }

  /** Runs one step. Returns whether the round continues. */
  async step(): Promise<boolean> {
    const rows = await some(this.#database, this.#after);
    for (const { id, name, dataKey } of rows) {
      // The cursor moves first: a state that cannot be read does not stop the others.
      this.#after = id;
      if (name !== null && dataKey !== null) await this.#fill(id, { name, dataKey }).catch(this.#steps.report);
    }
    if (rows.length === STEP) return true;
    this.#after = '';
    return false;
  }

  async #fill(id: string, blob: Blob): Promise<void> {
    const reader = new StateReader();
    for await (const part of this.#blobs.read(blob)) {
      await nextTurn();
      reader.feed(part);
    }
    const summary = sealSummary(this.#blobs, blob, JSON.stringify(reader.end().uses));
    await this.#database.transaction((tx) => store(tx, id, blob.name, summary));
  }
}

function some(db: Queries, after: string): Promise<Row[]> {
  return db.all(selectSome, { after, limit: STEP, format: READ_FORMAT });
}

/** Caches of the explorer follow the version of the workspace. */
async function store(tx: Transaction, id: string, name: string, summary: Uint8Array): Promise<void> {
  await tx.run(fillIn, { name, summary });
  await tx.run(noteChange, { id });
}
