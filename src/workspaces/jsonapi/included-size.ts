import { AppError } from '../../lib/errors.ts';
import type { Resource } from './document.ts';

/**
 * Maximum size of the resources that one word of `include` adds to an answer. A single one can have megabytes.
 * @limit total size of the resources that one value of include adds to a response, bytes -> 400: request a smaller page
 */
export const MAX_INCLUDED_BYTES = 16 * 1_048_576;

/**
 * Reads included resources of a few items at a time, and stops at the maximum size.
 * @param resourcesOf returns the resources of some items
 * @throws 400
 */
export async function piecemeal<T, R>(
  items: readonly T[],
  atATime: number,
  read: (some: readonly T[]) => Promise<R>,
  resourcesOf: (piece: R) => readonly Resource[],
): Promise<R[]> {
  const pieces: R[] = [];
  let bytes = 0;
  for (let first = 0; first < items.length; first += atATime) {
    const piece = await read(items.slice(first, first + atATime));
    bytes += resourcesOf(piece).reduce((sum, resource) => sum + JSON.stringify(resource).length, 0);
    if (bytes > MAX_INCLUDED_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return pieces;
}

function tooLarge(): AppError {
  const detail = `The included resources exceed ${MAX_INCLUDED_BYTES} bytes. Request a smaller page`;
  return new AppError('bad-request', detail, { issues: [{ detail, parameter: 'page[size]' }] });
}
