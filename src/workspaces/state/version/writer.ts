import { AppError } from '../../../lib/errors.ts';
import {
  type BlobDraft,
  type BlobWriter,
  type Database,
  type Queries,
  type SinkKeys,
  type Transaction,
  useBlob,
} from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { attributeIssue, conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { StateHooks, UploadOutcome } from '../hooks/hooks.ts';
import type { IntakeThreads } from '../intake/intake-threads.ts';
import { StateSink } from '../intake/state-sink.ts';
import type { Output } from '../reader/outputs.ts';
import { isRead } from '../reader/readable.ts';
import type { ContentRow } from './content-store.ts';
import type { StateContents } from './contents.ts';
import { checkHolder, checkSuccession } from './rules.ts';
import type { StateVersion } from './state-version.ts';
import * as store from './store.ts';

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Maximum size of a state, and of its JSON form.
 * @limit a state, and its JSON form, bytes -> 413
 */
const MAX_BYTES = 1_073_741_824;
/**
 * @limit resources of the preceding state for which a small state is parsed in the main thread, resources -> a worker
 * thread parses it
 */
const SMALL_RESOURCES = 100;

/** A state whose bytes are stored and parsed, but to which no row refers yet. */
export interface StateDraft {
  readonly bytes: BlobDraft;
  readonly md5: string;
  /** Data to store with the state. */
  readonly content: ContentRow;
}

/** The version of a state, and the client's list of outputs, which is used if the state cannot be parsed. */
export interface Described {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdAt: number;
  givenOutputs(): Promise<readonly Output[]>;
}

/** Transaction that stores a draft. */
type Storing<Draft> = (tx: Transaction, draft: Draft) => Promise<void>;

/** Dependencies of the writer. */
export interface StateWriterOptions {
  readonly database: Database;
  readonly blobs: BlobWriter;
  readonly contents: StateContents;
  readonly threads: IntakeThreads;
  readonly hooks: StateHooks;
}

/** Stores states in two phases: first the bytes (`BlobWriter`), then, in one transaction, all rows that refer to them. */
export class StateWriter {
  readonly #options: StateWriterOptions;

  constructor(options: StateWriterOptions) {
    this.#options = options;
  }

  /**
   * Stores and parses the bytes outside of any transaction, with constant memory. Then runs the transaction that adds
   * the state to its version (`finalize`).
   * @throws 422 when the MD5 differs from `md5`, 413 when the state is too large
   */
  async write(version: Described, source: Bytes, md5: string | undefined, work: Storing<StateDraft>): Promise<void> {
    const { blobs, database, threads } = this.#options;
    const before = await store.findCurrentVersion(database, version.workspaceId);
    const isSmall = (before?.resourceCount ?? 0) <= SMALL_RESOURCES;
    let state: StateSink | undefined;
    const sink = (keys: SinkKeys) => {
      state = new StateSink(threads, keys, isSmall);
      return state;
    };
    try {
      const { workspaceId } = version;
      await blobs.write(source, { owner: { workspaceId }, kind: 'state', maxBytes: MAX_BYTES, sink }, async (bytes) => {
        const draft = await this.#describe(bytes, state as unknown as StateSink, version, before, md5);
        // The thread is free for other states during the transaction.
        state?.close();
        state = undefined;
        await database.transaction((tx) => work(tx, draft));
      });
    } catch (error) {
      this.#options.hooks.emitUploaded(outcomeOf(error));
      throw error;
    } finally {
      state?.close();
    }
  }

  async #describe(
    bytes: BlobDraft,
    state: StateSink,
    version: Described,
    before: StateVersion | undefined,
    md5: string | undefined,
  ): Promise<StateDraft> {
    const { contents } = this.#options;
    const { taken } = state;
    if (md5 !== undefined && md5 !== taken.md5) {
      throw unprocessable([attributeIssue('md5', 'The MD5 hash of the state differs from the announced one')]);
    }
    const { id, createdAt } = version;
    const resources = before && isRead(taken.format) ? await contents.packedResources(before) : undefined;
    const description = await state.describe({ before: resources, version: { id, createdAt } });
    const given = isRead(taken.format) ? [] : await version.givenOutputs();
    const content = await contents.prepare(bytes.blob, description, given);
    return { bytes, md5: taken.md5, content };
  }

  /** Stores the bytes of the JSON form of a version, and runs the transaction that adds it (`addJson`). */
  writeJson(workspaceId: string, source: Bytes, work: Storing<BlobDraft>): Promise<void> {
    const { blobs, database, hooks } = this.#options;
    return blobs.write(source, { owner: { workspaceId }, kind: 'json-state', maxBytes: MAX_BYTES }, (draft) =>
      database
        .transaction((tx) => work(tx, draft))
        .catch((error: unknown) => {
          hooks.emitUploaded(outcomeOf(error));
          throw error;
        }),
    );
  }

  /** Adds a pending version. Call `claim` first. @throws 409 by the rules */
  async add(tx: Transaction, version: store.NewVersion, claimed: store.Claimed): Promise<void> {
    await this.checkHolder(tx, claimed.holder, version.creator, version.runId);
    checkSuccession(await store.findNewestVersion(tx, version.workspaceId), version);
    await store.insertVersion(tx, version);
  }

  /**
   * Checks whether the state may be written now.
   * @throws 409 when the lock of the workspace, or the run of the state, does not allow the write
   */
  async checkHolder(db: Queries, holder: Identifier | null, writer: Identifier, runId: string | null): Promise<void> {
    const isApplying = runId !== null && (await this.#options.hooks.runs.isAppliedBy(db, runId, writer));
    checkHolder({ holder, writer, runId, isApplying });
  }

  /** Adds the state to a pending version. Call `claim` first. @throws 409 when it is no longer pending */
  async finalize(
    tx: Transaction,
    version: Pick<StateVersion, 'id' | 'workspaceId' | 'intermediate'>,
    { bytes, content }: StateDraft,
  ): Promise<void> {
    const { id, workspaceId, intermediate } = version;
    const name = await this.#options.blobs.keep(tx, bytes);
    if (name === content.blobName) await this.#options.contents.insert(tx, content);
    if (!(await store.finalizeVersion(tx, id, name, bytes.size))) throw conflict('This state version is not pending');
    if (!intermediate) await this.#makeCurrent(tx, workspaceId, id);
    tx.afterCommit(() => this.#options.hooks.emitUploaded('stored', bytes.size));
  }

  /** Adds a version with the same state. Call `claim` first. */
  async reuse(tx: Transaction, version: store.NewVersion, source: StateVersion): Promise<void> {
    if (source.stateBlob === null) throw notFound();
    await useBlob(tx, source.stateBlob);
    await store.finalizeVersion(tx, version.id, source.stateBlob, source.size);
    await this.#makeCurrent(tx, version.workspaceId, version.id);
  }

  /** Stores the JSON form of a version. Returns false if the version has another one. */
  async addJson(tx: Transaction, { id }: Pick<StateVersion, 'id'>, draft: BlobDraft): Promise<boolean> {
    const { blobs } = this.#options;
    const name = await blobs.keep(tx, draft);
    if (await store.setJsonState(tx, id, name)) return true;
    await blobs.release(tx, name);
    // A client whose request got no response repeats it.
    return (await store.findVersion(tx, id))?.jsonBlob === name;
  }

  /** Removes the version's references to its content. */
  async release(tx: Transaction, { id, stateBlob, jsonBlob }: StateVersion): Promise<void> {
    await store.forgetBlobs(tx, id);
    for (const name of [stateBlob, jsonBlob]) if (name !== null) await this.#options.blobs.release(tx, name);
  }

  /** Claims the workspace in the transaction that changes its states. @throws 404 when it is gone */
  async claim(tx: Transaction, workspaceId: string): Promise<store.Claimed> {
    const claimed = await store.claimWorkspaceState(tx, workspaceId);
    if (claimed === undefined) throw notFound();
    return claimed;
  }

  async #makeCurrent(tx: Transaction, workspaceId: string, id: string): Promise<void> {
    await store.makeVersionCurrent(tx, workspaceId, id);
    await this.#options.hooks.emitChanged(tx, workspaceId);
  }
}

const outcomeOf = (error: unknown): UploadOutcome =>
  error instanceof AppError && error.kind !== 'unavailable' ? 'refused' : 'failed';
