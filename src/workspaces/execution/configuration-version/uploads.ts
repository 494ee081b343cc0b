import { ArchiveProblem, checkedArchive } from '../../../archive/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { CONFIGURATION_BOUNDS } from '../../../lib/job/configuration-bounds.ts';
import { MAX_CONFIGURATION } from '../../../lib/job/limits.ts';
import { SignedLinks } from '../../../lib/signed-links/index.ts';
import type { BlobDraft, BlobWriter, Database, Keyring, Queries, Transaction } from '../../../storage/index.ts';
import { bodyOf } from '../../http/request-body.ts';
import { conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../../workspace/index.ts';
import type { ConfigurationVersion } from './configuration-version.ts';
import * as store from './store.ts';

const HOUR = 3_600_000;
/** Lifetime of an upload URL. */
export const CONFIGURATION_LINK_LIFE = { life: HOUR, step: 60_000 };

/** Starts a run of an uploaded configuration version, and returns whether a run uses it. */
export interface UploadedConfigurations {
  hasRuns(db: Queries, configurationVersionId: string): Promise<boolean>;
  /**
   * Starts the run of an uploaded version. Call it in the transaction of the upload: no upload is stored without its
   * run.
   * @throws 409 when too many runs wait
   */
  start(tx: Transaction, version: ConfigurationVersion): Promise<void>;
}

/** Dependencies of `ConfigurationUploads`. */
export interface ConfigurationUploadsOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly blobs: BlobWriter;
  readonly workspaces: WorkspaceFinder;
  readonly runs: UploadedConfigurations;
}

/** Archive uploads through signed URLs. */
export class ConfigurationUploads {
  readonly #options: ConfigurationUploadsOptions;
  /** Signs upload URLs, which need no token. */
  readonly links: SignedLinks;

  constructor(options: ConfigurationUploadsOptions) {
    this.#options = options;
    this.links = new SignedLinks(options.keyring, options.clock, {
      purpose: 'configuration-upload',
      path: (_id, link) => `/api/v2/configuration-uploads/${link}`,
      life: CONFIGURATION_LINK_LIFE,
    });
  }

  /**
   * Stores an archive, and starts its run. Constant memory; durable once it resolves. An archive may be replaced until
   * a run uses it. Uploading the same archive again changes nothing, because clients repeat a request without a
   * response. An archive that no run could unpack is not stored: the configuration version is then errored.
   * @throws 404 when it does not exist, or without permission, 409 when it is too late or too many runs wait, 413 when
   * it is too large, 422 when no run could unpack it
   */
  async upload(actor: Actor, id: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    const { blobs, clock, database, runs, workspaces } = this.#options;
    const version = await store.findConfigurationVersion(database, id);
    if (version === undefined) throw notFound();
    const { permissions } = await workspaces.find(actor, { id: version.workspaceId }, 'can-queue-run');
    if (!isOpen(version)) throw conflict(TOO_LATE);
    const { workspaceId } = version;
    const archive = checkedArchive(bodyOf(body), CONFIGURATION_BOUNDS);
    const put = (draft: BlobDraft) =>
      database.transaction(async (tx) => {
        const current = await store.claimConfigurationVersion(tx, version.id);
        if (current === undefined) throw notFound();
        const now = clock();
        const name = await blobs.keep(tx, draft);
        const { blobName: old } = current;
        if (old !== null) await blobs.release(tx, old);
        if (old === name) return;
        const wasChanged = old !== version.blobName || current.status !== version.status;
        if (wasChanged || (await runs.hasRuns(tx, id))) throw conflict(TOO_LATE);
        const timestamps = { ...current.timestamps, finished: now, uploaded: now };
        const uploaded = { ...current, status: 'uploaded', timestamps, blobName: name, size: draft.size } as const;
        await store.updateConfigurationVersion(tx, uploaded);
        const mayQueue = uploaded.speculative || permissions['can-queue-apply'];
        if (uploaded.autoQueueRuns && mayQueue && version.status === 'pending') await runs.start(tx, uploaded);
      });
    await blobs
      .write(archive, { owner: { workspaceId }, kind: 'configuration', maxBytes: MAX_CONFIGURATION }, put)
      .catch((cause) => this.#refuse(version, cause));
  }

  /**
   * Refuses an archive that no run could unpack, and marks a version without an archive as errored.
   * @throws 422 for such an archive; other errors unchanged
   */
  async #refuse({ id }: ConfigurationVersion, cause: unknown): Promise<never> {
    if (!(cause instanceof ArchiveProblem)) throw cause;
    const { clock, database } = this.#options;
    const detail = `The configuration cannot be unpacked: ${cause.message}`;
    await database.transaction(async (tx) => {
      const current = await store.claimConfigurationVersion(tx, id);
      if (current?.status !== 'pending') return;
      const timestamps = { ...current.timestamps, errored: clock() };
      await store.updateConfigurationVersion(tx, {
        ...current,
        status: 'errored',
        error: INVALID,
        errorMessage: detail,
        timestamps,
      });
    });
    throw unprocessable([{ detail }]);
  }
}

/** Value of `error` of a configuration version whose archive was refused; `error-message` has the reason. */
const INVALID = 'invalid_archive';

/** Returns whether the version waits for an archive, or has one that may be replaced. */
const isOpen = ({ status, backing }: ConfigurationVersion) =>
  status === 'pending' || (status === 'uploaded' && backing === 'kept');

const TOO_LATE = 'This configuration version does not accept an archive any more';
