import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { type Blobs, type Database, findBlob } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../../workspace/index.ts';
import { isRead } from '../reader/readable.ts';
import { StateReader, type StateSummary } from '../reader/state-reader.ts';
import type { StateVersion } from './state-version.ts';
import * as store from './store.ts';
import { creatorOf } from './versions.ts';
import type { StateWriter } from './writer.ts';

/** Dependencies of the service. */
export interface RollbacksOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly blobs: Blobs;
  readonly finder: WorkspaceFinder;
  readonly writer: StateWriter;
}

/**
 * Rolls back to an old state by creating a new version with its content. Its serial follows the newest one, also
 * within the file; otherwise the next state that `tofu` or `terraform` writes would have a lower serial. A file that
 * cannot be parsed stays unchanged and keeps its serial.
 */
export class Rollbacks {
  readonly #options: RollbacksOptions;

  constructor(options: RollbacksOptions) {
    this.#options = options;
  }

  /**
   * Creates a version with the content of an old one and returns its id.
   * @throws 404 for a version without stored state, 409 unless the actor holds the lock
   */
  async to(actor: Actor, workspaceId: string, sourceId: string): Promise<string> {
    const { clock, database, finder, writer } = this.#options;
    const workspace = await finder.find(actor, { id: workspaceId }, 'can-create-state-versions');
    const creator = creatorOf(actor, workspace.organizationId);
    await writer.checkHolder(database, workspace.lock?.holder ?? null, creator, null);
    const source = await store.findVersion(database, sourceId);
    if (source?.workspaceId !== workspaceId || source.status !== 'finalized') throw notFound();
    const createdAt = clock();
    const serial = isRead(source.format)
      ? ((await store.findNewestVersion(database, workspaceId))?.serial ?? 0) + 1
      : source.serial;
    const version: store.NewVersion = {
      ...{ id: prefixedId('sv', createdAt), workspaceId, creator, createdAt, serial },
      ...{ lineage: source.lineage, md5: source.md5, runId: null, givenOutputs: null },
      ...{ rollbackOf: source.id, intermediate: false, forced: true },
    };
    if (!isRead(source.format)) {
      await database.transaction(async (tx) => {
        await writer.add(tx, version, await writer.claim(tx, workspaceId));
        await writer.reuse(tx, version, source);
      });
    } else {
      await this.#copy(version, source);
    }
    return version.id;
  }

  async #copy(version: store.NewVersion, source: StateVersion): Promise<void> {
    const { writer } = this.#options;
    const { workspaceId } = version;
    const { serialAt } = await this.#read(source);
    const bytes = withSerial(await this.#bytes(source), serialAt, version.serial);
    await writer.write({ ...version, givenOutputs: async () => [] }, bytes, undefined, async (tx, draft) => {
      await writer.add(tx, { ...version, md5: draft.md5 }, await writer.claim(tx, workspaceId));
      await writer.finalize(tx, version, draft);
    });
  }

  async #read(source: StateVersion): Promise<StateSummary> {
    const reader = new StateReader();
    for await (const part of await this.#bytes(source)) reader.feed(part);
    return reader.end();
  }

  async #bytes({ stateBlob }: StateVersion): Promise<AsyncIterable<Uint8Array>> {
    const blob = stateBlob === null ? undefined : await findBlob(this.#options.database, stateBlob);
    if (blob === undefined) throw notFound();
    return this.#options.blobs.read(blob);
  }
}

/** Replaces the digits of the serial within the bytes. */
async function* withSerial(
  source: AsyncIterable<Uint8Array>,
  at: StateSummary['serialAt'],
  serial: number,
): AsyncGenerator<Uint8Array> {
  const { start, end } = at ?? { start: 0, end: 0 };
  let offset = 0;
  for await (const part of source) {
    const from = start - offset;
    if (at !== null && from >= 0 && from < part.length) {
      yield part.subarray(0, from);
      yield Buffer.from(String(serial));
    }
    yield from < part.length && end > offset ? part.subarray(Math.max(end - offset, 0)) : part;
    offset += part.length;
  }
}
