import type { Clock } from '../../../lib/clock.ts';
import { type Blobs, type Database, type Keyring, registerBlob, releaseBlob } from '../../../storage/index.ts';
import { bodyOf } from '../../http/request-body.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import { type Actor, SignedLinks } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../../workspace/index.ts';
import type { ConfigurationVersion } from './configuration-version.ts';
import * as store from './store.ts';

/**
 * Of an archive, bytes.
 * @limit a configuration, bytes -> 413
 */
const MAX_ARCHIVE = 268_435_456;
const HOUR = 3_600_000;
/** Of the address for an archive. */
export const CONFIGURATION_LINK_LIFE = { life: HOUR, step: 60_000 };

/** Starts a run of what was uploaded, and says whether some run has it. */
export interface UploadedConfigurations {
  hasRuns(configurationVersionId: string): Promise<boolean>;
  start(version: ConfigurationVersion): Promise<void>;
}

/** What the service works with. */
export interface ConfigurationUploadsOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly blobs: Blobs;
  readonly workspaces: WorkspaceFinder;
  readonly runs: UploadedConfigurations;
  /** Told of what fails beside any request. */
  readonly report: (error: unknown) => void;
}

/** Archives on their way in, from whoever was given an address for one. */
export class ConfigurationUploads {
  readonly #options: ConfigurationUploadsOptions;
  /** The last part of the address that an archive is sent to; it needs no token. */
  readonly links: SignedLinks;

  constructor(options: ConfigurationUploadsOptions) {
    this.#options = options;
    this.links = new SignedLinks(options.keyring, options.clock, 'configuration-upload', CONFIGURATION_LINK_LIFE);
  }

  /**
   * Constant memory; durable once it resolves. What was uploaded may be replaced as long as no run has it.
   * @throws 404 when there is none or the actor may not, 409 when it is too late, 413 when it is too large
   */
  async upload(actor: Actor, id: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    const { blobs, database, clock, report, runs, workspaces } = this.#options;
    const version = await store.byId(database, id);
    if (version === undefined) throw notFound();
    const { permissions } = await workspaces.find(actor, { id: version.workspaceId }, 'can-queue-run');
    await this.#requireOpen(version);
    const scope = `configuration/${version.workspaceId}`;
    const blob = await blobs.write(bodyOf(body), { scope, maxBytes: MAX_ARCHIVE });
    const discard = (name: string) => blobs.store.delete(name).catch(report);
    const finished = await database
      .transaction(async (tx) => {
        const current = await store.claim(tx, version.id);
        if (current === undefined) throw notFound();
        if (current.blobName !== version.blobName || current.status !== version.status) throw conflict(TOO_LATE);
        const now = clock();
        const name = await registerBlob(tx, blob, current.workspaceId, now);
        const old = current.blobName;
        const uploaded: ConfigurationVersion = {
          ...current,
          status: 'uploaded',
          timestamps: { ...current.timestamps, finished: now, uploaded: now },
          blobName: name,
          size: blob.size,
        };
        await store.update(tx, uploaded);
        const replaced = old !== null && (await releaseBlob(tx, old));
        tx.afterCommit(() => {
          if (name !== blob.name) void discard(blob.name);
          if (replaced) void discard(old);
        });
        return uploaded;
      })
      .catch(async (error: unknown) => {
        await discard(blob.name);
        throw error;
      });
    const mayQueue = finished.speculative || permissions['can-queue-apply'];
    if (finished.autoQueueRuns && mayQueue && version.status === 'pending') await runs.start(finished);
  }

  async #requireOpen({ id, status, backing }: ConfigurationVersion): Promise<void> {
    if (status === 'pending') return;
    if (status !== 'uploaded' || backing !== 'kept' || (await this.#options.runs.hasRuns(id))) throw conflict(TOO_LATE);
  }
}

const TOO_LATE = 'This configuration version does not wait for an archive any more';
