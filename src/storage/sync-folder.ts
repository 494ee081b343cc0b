import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes the names of new files in the folder of `file` durable. */
export async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
