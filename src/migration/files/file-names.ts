import { createHash } from 'node:crypto';

const READABLE_LENGTH = 100;
const HASH = 12;

/**
 * Returns a file name for a name of an item, which may contain anything. The item's file has the name itself, so the
 * file name only has to be readable and unique.
 */
export function fileName(name: string): string {
  const readable = name
    .replaceAll(/[^\p{L}\p{N} ._@=+-]/gu, '-')
    .replace(/^\.+/, '-')
    .trim();
  if (readable === name && readable.length <= READABLE_LENGTH && readable !== '') return readable;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH);
  return `${readable.slice(0, READABLE_LENGTH)}-${hash}`;
}
