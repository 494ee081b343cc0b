import { prefixedId } from '../../../lib/ids.ts';
import { type Transaction, useBlob } from '../../../storage/index.ts';
import { archivedBlob, type FetchedCommit } from '../../vcs/index.ts';
import { setCurrentConfigurationVersion } from '../../workspace/index.ts';
import type { ConfigurationVersion } from './configuration-version.ts';
import { newVersion } from './configuration-versions.ts';
import { addIngress } from './ingress.ts';
import * as store from './store.ts';

/** Type of the creator of what the server creates. */
const SERVER = 'workspaces';

/** A commit of which a configuration version is made. */
interface Commit extends FetchedCommit {
  readonly workspaceId: string;
  readonly speculative: boolean;
  readonly untrusted: boolean;
}

/**
 * Creates the configuration version of a commit, uploaded already. Its blob is that of the archive, which all
 * workspaces share.
 * @returns undefined if the archive was deleted; then nothing is written
 */
export async function addCommit(
  tx: Transaction,
  { workspaceId, speculative, untrusted, ...commit }: Commit,
  now: number,
): Promise<ConfigurationVersion | undefined> {
  const blob = await archivedBlob(tx, commit.archiveId);
  if (blob === undefined) return undefined;
  const version = newVersion({
    ...{ id: prefixedId('cv', now), workspaceId, speculative, untrusted, createdAt: now, autoQueueRuns: true },
    createdBy: byServer(workspaceId),
  });
  await store.insertConfigurationVersion(tx, version);
  return finish(tx, version, commit, blob, now);
}

/**
 * Makes a configuration version that is being fetched one of the commit. Call it in the transaction that ends the fetch.
 * @returns undefined if the version does not wait any more, or the archive was deleted; then nothing is written
 */
export async function completeCommit(
  tx: Transaction,
  id: string,
  commit: FetchedCommit,
  now: number,
): Promise<ConfigurationVersion | undefined> {
  const version = await store.claimConfigurationVersion(tx, id);
  const blob = await archivedBlob(tx, commit.archiveId);
  if (version?.status !== 'fetching' || blob === undefined) return undefined;
  return finish(tx, version, commit, blob, now);
}

/** Gives up a configuration version that is being fetched. @param reason sentence for users */
export async function failCommit(tx: Transaction, id: string, reason: string, now: number): Promise<void> {
  const version = await store.claimConfigurationVersion(tx, id);
  if (version?.status !== 'fetching') return;
  const timestamps = { ...version.timestamps, errored: now };
  const error = { error: 'fetch_failed', errorMessage: reason };
  await store.updateConfigurationVersion(tx, { ...version, ...error, status: 'errored', timestamps });
}

/** Notes why the run of a fetched commit could not start. The version can be used later. */
export function noteNoRun(tx: Transaction, version: ConfigurationVersion, reason: string) {
  return store.updateConfigurationVersion(tx, { ...version, errorMessage: `The run could not start: ${reason}` });
}

/** Creator of what the server creates without a user. Documents show no creator. */
export const byServer = (workspaceId: string) => ({ type: SERVER, id: workspaceId });

/** Returns who pushed the commit of a run that the server created; null for a run of another creator. */
export function pusherOf(createdByType: string, createdByName: string): string | null {
  return createdByType === SERVER ? createdByName || null : null;
}

async function finish(
  tx: Transaction,
  version: ConfigurationVersion,
  { source, ingress }: FetchedCommit,
  { blobName, size }: { readonly blobName: string; readonly size: number },
  now: number,
): Promise<ConfigurationVersion> {
  await useBlob(tx, blobName);
  const ingressId = await addIngress(tx, version.id, ingress);
  const timestamps = { ...version.timestamps, finished: now, uploaded: now };
  const uploaded = { ...version, ...{ source, blobName, size, ingressId, timestamps }, status: 'uploaded' } as const;
  await store.updateConfigurationVersion(tx, uploaded);
  const { speculative, provisional, workspaceId } = version;
  if (!speculative && !provisional) await setCurrentConfigurationVersion(tx, workspaceId, version.id);
  return uploaded;
}
