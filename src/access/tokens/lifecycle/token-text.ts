import { randomText, timeOrderedId } from '../../../lib/ids.ts';

const FORM = /^lks\.([1-9A-HJ-NP-Za-km-z]{16})\.([1-9A-HJ-NP-Za-km-z]{32})$/;
const SECRET_LENGTH = 32;
const ACCESSOR_LENGTH = 24;

/** Returns a new token text: `lks.<public, time-ordered id>.<secret of 187 bits>`. */
export function newTokenText(now: number): string {
  return `lks.${timeOrderedId(now)}.${randomText(SECRET_LENGTH)}`;
}

export function newTokenAccessor(): string {
  return randomText(ACCESSOR_LENGTH);
}

/** Returns the public id in a generated token text. Undefined for a custom text, which contains no id. */
export function publicId(tokenText: string): string | undefined {
  return FORM.exec(tokenText)?.[1];
}
