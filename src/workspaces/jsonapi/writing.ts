import { keptWith } from '../../lib/kept-with.ts';
import type { Document } from './document.ts';

const lasting = new WeakSet<object>();
const textOf = keptWith((document: object) => JSON.stringify(document));

/** Says that the document is answered again and again, and never changed: it is written out once. */
export function writtenOnce(document: Document): Document {
  lasting.add(document);
  return document;
}

/** The text of an answer. */
export function write(payload: unknown): string {
  return typeof payload === 'object' && payload !== null && lasting.has(payload)
    ? textOf(payload)
    : JSON.stringify(payload);
}
