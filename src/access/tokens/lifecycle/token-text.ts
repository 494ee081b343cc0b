import { randomText, timeOrderedId } from '../../../lib/ids.ts';

const FORM = /^lks\.([1-9A-HJ-NP-Za-km-z]{16})\.([1-9A-HJ-NP-Za-km-z]{32})$/;
const SECRET_LENGTH = 32;
const ACCESSOR_LENGTH = 24;

/** `lks.<public, time-ordered id>.<secret of 187 bits>` */
export function newTokenText(now: number): string {
  return `lks.${timeOrderedId(now)}.${randomText(SECRET_LENGTH)}`;
}

export function newTokenAccessor(): string {
  return randomText(ACCESSOR_LENGTH);
}

/** The public id inside a token of our form. An operator may fix a token of any other text: that has no id of its own. */
export function publicId(tokenText: string): string | undefined {
  return FORM.exec(tokenText)?.[1];
}
