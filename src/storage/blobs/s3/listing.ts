import type { BlobListing } from '../blob-store.ts';

/**
 * Start of a page of the listing. The listing has the objects by key, followed by the incomplete uploads by key and ID.
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

/** Separates the name of an incomplete upload from its ID. */
const UPLOAD = '.upload.';

/** Returns the name of an incomplete upload in a listing, which is also used to delete it. */
export function uploadName(name: string, id: string): string {
  return name + UPLOAD + id;
}

/** Returns undefined for the name of an object. */
export function parseUploadName(text: string): { readonly name: string; readonly id: string } | undefined {
  const at = text.indexOf(UPLOAD);
  return at < 0 ? undefined : { name: text.slice(0, at), id: text.slice(at + UPLOAD.length) };
}

/**
 * Returns the entries below the prefix whose names this server generates, because the bucket may have other users too.
 */
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

/** Names of blobs, and of objects that the start-up check left when it was interrupted. */
const OURS = /^([0-9a-f]{32}|probe-[0-9a-f]{32})$/;
