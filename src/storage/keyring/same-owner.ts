import { chown, stat } from 'node:fs/promises';
import { refusal } from './keyring-text.ts';

/**
 * Changes the owner of a draft, because the server may run as another user than the command.
 * @param as a file whose owner the draft gets
 * @throws StorageError
 */
export async function giveTo(draft: string, as: string): Promise<void> {
  const [{ uid, gid }, ours] = [await stat(as), await stat(draft)];
  if (uid === ours.uid && gid === ours.gid) return;
  await chown(draft, uid, gid).catch((cause) => {
    throw refusal(as, 'belongs to another user: run the command as that user', cause);
  });
}
