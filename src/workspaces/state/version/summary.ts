import type { Blob, Blobs } from '../../../storage/index.ts';
import type { StateUses } from '../reader/uses.ts';

const PURPOSE = 'summary';

/** Encrypts the summary of a state with the key of its bytes. @param uses JSON of `StateUses` */
export function sealSummary(blobs: Blobs, blob: Blob, uses: string): Uint8Array {
  return blobs.seal(blob, PURPOSE, Buffer.from(uses));
}

/** Returns the summary of a state. @throws KeyringError if the keyring lacks its key */
export function openSummary(blobs: Blobs, blob: Blob, sealed: Uint8Array): StateUses {
  return JSON.parse(Buffer.from(blobs.open(blob, PURPOSE, sealed)).toString()) as StateUses;
}
