import { type Database, sql } from '../../storage/index.ts';
import { removeRoleBatch } from '../method/index.ts';

/** Number of certificates in one step. */
const INTERMEDIATES = 500;
/** Number of chunks of 256 KiB in one step. */
const CHUNKS = 8;

const removeIntermediates = sql<{ mount_id: string; most: number }>(
  `DELETE FROM intermediate WHERE mount_id = :mount_id AND fingerprint IN (
     SELECT fingerprint FROM intermediate WHERE mount_id = :mount_id ORDER BY fingerprint LIMIT :most)`,
);
const nextCrl = sql<{ mount_id: string }, { name: string; content_id: string }>(
  'SELECT name, content_id FROM crl WHERE mount_id = :mount_id ORDER BY name LIMIT 1',
);
const removeChunks = sql<{ content_id: string; most: number }>(
  `DELETE FROM crl_chunk WHERE content_id = :content_id AND number IN (
     SELECT number FROM crl_chunk WHERE content_id = :content_id ORDER BY number LIMIT :most)`,
);
const removeCrl = sql<{ mount_id: string; name: string; content_id: string }>(
  'DELETE FROM crl WHERE mount_id = :mount_id AND name = :name AND content_id = :content_id',
);

/**
 * Removes some of the data of a disabled cert mount: roles, intermediates, and CRLs with their contents. Runs one
 * bounded step. Returns false when nothing is left.
 */
export async function removeBatchOfMount(database: Database, mountId: string): Promise<boolean> {
  if (await removeRoleBatch(database, mountId)) return true;
  const intermediates = await database.run(removeIntermediates, { mount_id: mountId, most: INTERMEDIATES });
  if (intermediates > 0) return true;
  const crl = await database.one(nextCrl, { mount_id: mountId });
  if (!crl) return false;
  const chunks = await database.run(removeChunks, { content_id: crl.content_id, most: CHUNKS });
  // Removes the CRL after its last chunk: until then, the next step finds the content through it.
  if (chunks < CHUNKS) await database.run(removeCrl, { mount_id: mountId, ...crl });
  return true;
}
