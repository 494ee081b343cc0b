import { type Blob, type Blobs, type Database, findBlob, type Keyring } from '../../../storage/index.ts';
import { bodyOf } from '../../http/request-body.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import { openOutputs } from '../version/given.ts';
import { checkSuccession } from '../version/rules.ts';
import type { StateVersion } from '../version/state-version.ts';
import * as store from '../version/store.ts';
import type { StateWriter } from '../version/writer.ts';

/** Dependencies of the service. */
export interface StateUploadsOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly blobs: Blobs;
  readonly writer: StateWriter;
}

/** Content to stream to a client. */
export interface Download {
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The two forms of a state. */
export type Form = 'state' | 'json';

/** Uploads and downloads the bytes of states. The caller has found the version and checked permissions. */
export class StateUploads {
  readonly #options: StateUploadsOptions;

  constructor(options: StateUploadsOptions) {
    this.#options = options;
  }

  /**
   * Stores the state of a pending version, which is finalized when the promise resolves. Repeating the same upload has
   * no effect.
   * @throws 409 when the lock or another state came first, 422 when the MD5 differs from the announced one; the
   * version then stays pending
   */
  async putState(version: StateVersion, body: AsyncIterable<Uint8Array>): Promise<void> {
    const { database, keyring, writer } = this.#options;
    const { id, workspaceId } = version;
    if (version.status !== 'pending' && version.status !== 'finalized') throw settled();
    const givenOutputs = async () => openOutputs(keyring, id, await store.readGivenOutputs(database, id));
    await writer.write({ ...version, givenOutputs }, bodyOf(body), version.md5, async (tx, draft) => {
      const { holder } = await writer.claim(tx, workspaceId);
      const found = await store.findVersion(tx, id);
      // A client whose request got no response repeats it. The MD5 shows that the content is the same.
      if (found?.status === 'finalized') return;
      await writer.checkHolder(tx, holder, version.creator, version.runId);
      checkSuccession(await store.findNewestVersion(tx, workspaceId), version);
      await writer.finalize(tx, version, draft);
    });
  }

  /**
   * Stores the JSON form, before or after the state itself. @throws 409 when there is another one, or the version was
   * discarded
   */
  async putJson(version: StateVersion, body: AsyncIterable<Uint8Array>): Promise<void> {
    const { writer } = this.#options;
    const { id, workspaceId } = version;
    await writer.writeJson(workspaceId, bodyOf(body), async (tx, draft) => {
      await writer.claim(tx, workspaceId);
      const found = await store.findVersion(tx, id);
      const isOpen = found?.status === 'pending' || found?.status === 'finalized';
      if (!isOpen || !(await writer.addJson(tx, version, draft))) throw settled();
    });
  }

  /**
   * Opens a stored state for a download.
   * @throws 404 when there is nothing to download, or its data was deleted
   */
  async download(version: StateVersion, form: Form): Promise<Download> {
    const name = form === 'state' ? version.stateBlob : version.jsonBlob;
    const isThere = version.status === 'finalized' || (form === 'json' && version.status === 'pending');
    const blob: (Blob & { size: number }) | undefined =
      isThere && name !== null ? await findBlob(this.#options.database, name) : undefined;
    if (blob === undefined) throw notFound();
    return { size: blob.size, content: this.#options.blobs.read(blob) };
  }
}

const settled = () =>
  conflict('This state version is not pending: it has a state already, or a newer version has replaced it');
