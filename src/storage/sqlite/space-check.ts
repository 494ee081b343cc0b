import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';

/**
 * Bytes that a readiness check writes: as much as a small transaction.
 * @limit bytes that a readiness check writes beside a database, bytes -> at most once a second
 */
const SPACE_CHECK_BYTES = 32_768;

/**
 * Checks that a temporary file beside the database can grow and reach the disk. A write to the database itself would
 * invalidate all cached reads, and could use free space in the existing log. The file is removed.
 * @throws the error of the system: ENOSPC, EDQUOT, EROFS, EIO …
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
