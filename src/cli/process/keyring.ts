import type { Config } from '../../config/index.ts';
import { type FileKeyring, type Note, openKeyring } from '../../storage/index.ts';

/** Whoever waits in front of a terminal is told why. */
export const noteOnError: Note = (reason) => {
  process.stderr.write(`lockkeeper: the keyring is not unwrapped yet: ${reason}; trying again\n`);
};

/** @throws StorageError when it cannot be read or unwrapped */
export function openKeyringOf({ keyring }: Config): Promise<FileKeyring> {
  return openKeyring(keyring, noteOnError);
}
