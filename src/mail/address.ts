/** Addresses of the usual form, in ASCII. Quoted local parts and IP addresses are not supported. */
const ADDRESS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9.-]+$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
/** @limit local part of an email address, characters -> 422 */
const MAX_LOCAL = 64;
/** @limit email address, characters -> 422 */
const MAX_ADDRESS = 254;

/** Returns whether a message can be sent to the address. It says nothing about the mailbox. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (text.length > MAX_ADDRESS || at > MAX_LOCAL || !ADDRESS.test(text)) return false;
  return text
    .slice(at + 1)
    .split('.')
    .every((label) => LABEL.test(label));
}

/** Control characters, line separators, and characters that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Returns the text on one line, for a header: without characters that could begin another header. */
export function mailText(text: string, most: number): string {
  const characters = [...text.replace(UNSAFE, ' ').trim()];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`;
}
