import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';

/**
 * What a check writes, bytes: as much as a small unit of work.
 * @limit what a check of readiness writes to a database, bytes -> no more often than once a second
 */
const SPACE_CHECK_BYTES = 32_768;

/**
 * Whether a file beside the database can grow and reach the disk. Writing to the database itself would end what is kept of
 * earlier reads, for everybody, and might find room in a log that is there already. Nothing is left: it would be room for the
 * next check.
 * @throws what the system says: ENOSPC, EDQUOT, EROFS, EIO …
 */
export async function checkSpace(database: string): Promise<void> {
  const file = await open(`${database}-check`, 'w', 0o600);
  try {
    await file.writeFile(randomBytes(SPACE_CHECK_BYTES));
    await file.datasync();
  } finally {
    await file.truncate(0).finally(() => file.close());
  }
}
