import type { Logger } from 'pino';
import { type Restored, restoreBackup } from '../../backup/index.ts';
import type { Config } from '../../config/index.ts';
import { type Keyring, lockForServer, timeOf } from '../../storage/index.ts';
import { openBlobs } from '../blob-storage.ts';
import { closeDatabases, openDatabases } from '../databases.ts';
import { composeDomains, type Domains } from '../domains.ts';
import { COUNTERS } from './contents.ts';
import type { Draft } from './draft.ts';
import { draftOfPostgres } from './postgres-draft.ts';
import { draftOfSqlite } from './sqlite-draft.ts';

export interface RestoreOptions {
  readonly config: Config;
  readonly keyring: Keyring;
  readonly logger: Logger;
  /** Revokes all tokens and creates new first tokens. */
  readonly revokeTokens: boolean;
}

export interface RestoredInstallation extends Restored {
  /** Number of runs that were in progress or queued. */
  readonly runs: number;
  readonly revoked?: Revoked;
}

interface Revoked {
  readonly tokens: number;
  readonly rootToken: string;
  /** Name of the oldest site administrator. Null without one. */
  readonly user: { readonly username: string; readonly token: string } | null;
}

/**
 * Restores a backup into empty databases that no server uses. After a failure there are no databases, but some
 * blobs may remain, which the next attempt reuses.
 * @throws StorageError for an unusable target, and like `restoreBackup`
 */
export async function restoreInstallation(
  source: AsyncIterable<Uint8Array>,
  options: RestoreOptions,
): Promise<RestoredInstallation> {
  const { storage } = options.config;
  const lock = storage.type === 'sqlite' ? lockForServer(storage.directory) : undefined;
  try {
    const draft = await openDraft(options);
    const restored = await fill(source, draft, options).catch(async (error: unknown) => {
      await draft.discard();
      throw error;
    });
    await draft.promote();
    return restored;
  } finally {
    lock?.release();
  }
}

function openDraft({ config: { storage }, logger }: RestoreOptions): Promise<Draft> {
  return storage.type === 'sqlite' ? draftOfSqlite(storage, logger) : draftOfPostgres(storage, logger);
}

async function fill(
  source: AsyncIterable<Uint8Array>,
  draft: Draft,
  options: RestoreOptions,
): Promise<RestoredInstallation> {
  const { config, keyring, logger, revokeTokens } = options;
  const blobs = await openBlobs(draft.storage);
  const restored = await restoreBackup(source, keyring, {
    ...{ blobs, counters: COUNTERS },
    databases: (manifest) => draft.loads(manifest),
  });
  const databases = await openDatabases(draft.storage, logger);
  try {
    // From here the steps equal a start: later migrations are applied now.
    const own = { ...config, storage: draft.storage };
    const clock = await timeOf(databases.access);
    const domains = await composeDomains({ config: own, databases, keyring, clock, logger });
    const runs = await domains.workspaces.execution.interruptedRuns.endAll();
    return { ...restored, runs, ...(revokeTokens && { revoked: await revoke(domains) }) };
  } finally {
    await closeDatabases(databases);
  }
}

async function revoke({ access, workspaces }: Domains): Promise<Revoked> {
  const { tenancy, execution } = workspaces;
  const counts = [
    await access.tokens.revokeAll(),
    await tenancy.tokens.revokeAll(),
    await execution.agentTokens.revokeAll(),
  ];
  const admin = await tenancy.users.firstSiteAdmin();
  const input = { description: 'lockkeeper backup restore', expiresAt: null };
  const issued = admin && (await tenancy.tokens.issue(admin.id, input));
  return {
    tokens: counts.reduce((sum, count) => sum + count, 0),
    rootToken: await access.tokens.createRoot(),
    user: admin && issued ? { username: admin.username, token: issued.text } : null,
  };
}
