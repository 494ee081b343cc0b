import type { Config } from '../../config/index.ts';
import { type FileKeyring, type Note, openKeyring } from '../../storage/index.ts';

/** Reports the delay to a user at a terminal. */
export const noteOnError: Note = (reason) => {
  process.stderr.write(`lockkeeper: cannot unwrap the keyring yet: ${reason}; retrying\n`);
};

/** @throws StorageError if the keyring cannot be read or unwrapped */
export function openKeyringOf({ keyring }: Config): Promise<FileKeyring> {
  return openKeyring(keyring, noteOnError);
}
