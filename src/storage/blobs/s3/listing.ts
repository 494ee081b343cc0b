import type { BlobListing } from '../blob-store.ts';

/**
 * Where a part of the listing begins. First come the objects, by their key; then the uploads that were begun and not ended, by
 * their key and their id.
 */
export type Position =
  | { readonly of: 'objects'; readonly after?: string | undefined }
  | { readonly of: 'uploads'; readonly key?: string | undefined; readonly id?: string | undefined };

export function readPosition(from: string | undefined): Position {
  return from === undefined ? { of: 'objects' } : (JSON.parse(from) as Position);
}

export function writePosition(position: Position): string {
  return JSON.stringify(position);
}

/** Between the name of an unfinished upload and its id. */
const UPLOAD = '.upload.';

/** How an unfinished upload is called in a listing, and in what deletes it. */
export function uploadName(name: string, id: string): string {
  return name + UPLOAD + id;
}

/** Undefined for the name of an object. */
export function parseUploadName(text: string): { readonly name: string; readonly id: string } | undefined {
  const at = text.indexOf(UPLOAD);
  return at < 0 ? undefined : { name: text.slice(0, at), id: text.slice(at + UPLOAD.length) };
}

/** What lies below the prefix, and is one of ours by its name: somebody else may use the bucket too. */
export function ours(
  prefix: string,
  entries: readonly { readonly key: string | undefined; readonly at: Date | undefined; readonly upload?: string }[],
): BlobListing['blobs'] {
  return entries.flatMap(({ key, at, upload }) => {
    const name = key?.startsWith(prefix) ? key.slice(prefix.length) : undefined;
    if (name === undefined || at === undefined || !OURS.test(name)) return [];
    return [{ name: upload === undefined ? name : uploadName(name, upload), modifiedAt: at.getTime() }];
  });
}

/** A blob; or what the check at the start wrote, if it was ended before it could clean up. */
const OURS = /^([0-9a-f]{32}|probe-[0-9a-f]{32})$/;
