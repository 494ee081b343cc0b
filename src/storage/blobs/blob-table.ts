import { type Queries, sql, type Transaction } from '../database.ts';
import type { Blob, WrittenBlob } from './blobs.ts';

/** Number of rows that one clean-up step processes. */
const STEP = 100;

/** Owner of a blob, with which it is deleted. */
export type BlobOwner = { readonly workspaceId: string } | { readonly organizationId: string };

/** Returns the id of the owner. Ids of workspaces and organizations differ in their prefix. */
export const idOfOwner = (owner: BlobOwner) => ('workspaceId' in owner ? owner.workspaceId : owner.organizationId);

const columnOf = (owner: BlobOwner) => ('workspaceId' in owner ? 'workspace_id' : 'organization_id');

type OwnerColumn = ReturnType<typeof columnOf>;

const insertOwned = (column: OwnerColumn) =>
  sql<
    {
      name: string;
      ownerId: string;
      hash: Uint8Array;
      size: number;
      dataKey: Uint8Array;
      keyVersion: number;
      now: number;
    },
    { name: string }
  >(
    `INSERT INTO blob (name, ${column}, content_hash, size, data_key, key_version, uses, created_at)
     VALUES (:name, :ownerId, :hash, :size, :dataKey, :keyVersion, 1, :now)
     ON CONFLICT (${column}, content_hash) DO UPDATE SET uses = blob.uses + 1 RETURNING name`,
  );
const insertBlob = {
  workspace_id: insertOwned('workspace_id'),
  organization_id: insertOwned('organization_id'),
};
const addUse = sql<{ name: string }>('UPDATE blob SET uses = uses + 1 WHERE name = :name');
const dropUse = sql<{ name: string }, { uses: number }>(
  'UPDATE blob SET uses = uses - 1 WHERE name = :name RETURNING uses',
);
const removeBlob = sql<{ name: string }>('DELETE FROM blob WHERE name = :name');
const selectBlob = sql<{ name: string }, Blob & { size: number }>(
  'SELECT name, data_key AS "dataKey", size FROM blob WHERE name = :name',
);
const selectOwned = (column: OwnerColumn) =>
  sql<{ ownerId: string; step: number }, { name: string }>(
    `SELECT name FROM blob WHERE ${column} = :ownerId LIMIT :step`,
  );
const selectOfOwner = { workspace_id: selectOwned('workspace_id'), organization_id: selectOwned('organization_id') };
const selectKnown = sql<{ name: string }, { name: string }>('SELECT name FROM blob WHERE name = :name');
const selectOwnerless = sql<{ step: number }, { name: string }>(
  'SELECT name FROM blob WHERE workspace_id IS NULL AND organization_id IS NULL LIMIT :step',
);

/** Registers a blob. Returns its name, or that of an equal blob of the owner (deduplication). */
export async function registerBlob(tx: Transaction, blob: WrittenBlob, owner: BlobOwner, now: number): Promise<string> {
  const { name, hash, size, dataKey, keyVersion } = blob;
  const ownerId = idOfOwner(owner);
  const kept = await tx.one(insertBlob[columnOf(owner)], { name, ownerId, hash, size, dataKey, keyVersion, now });
  return kept?.name ?? name;
}

/** Adds a reference to the blob. */
export function addBlobUse(tx: Transaction, name: string) {
  return tx.run(addUse, { name });
}

/** Removes a reference to the blob. Returns true if it was the last one: the blob must be deleted after the commit. */
export async function dropBlobUse(tx: Transaction, name: string): Promise<boolean> {
  const left = await tx.one(dropUse, { name });
  if (left === undefined || left.uses > 0) return false;
  await tx.run(removeBlob, { name });
  return true;
}

/** Returns undefined if no row refers to the blob any longer. */
export function findBlob(db: Queries, name: string) {
  return db.one(selectBlob, { name });
}

/** Returns some blobs of an owner. */
export async function blobsOfOwner(db: Queries, owner: BlobOwner): Promise<string[]> {
  const found = await db.all(selectOfOwner[columnOf(owner)], { ownerId: idOfOwner(owner), step: STEP });
  return found.map(({ name }) => name);
}

export async function isBlobKnown(db: Queries, name: string): Promise<boolean> {
  return (await db.one(selectKnown, { name })) !== undefined;
}

/** Returns some blobs whose owner was deleted. */
export async function ownerlessBlobs(db: Queries): Promise<string[]> {
  return (await db.all(selectOwnerless, { step: STEP })).map(({ name }) => name);
}

export function forgetBlob(db: Queries, name: string) {
  return db.run(removeBlob, { name });
}
