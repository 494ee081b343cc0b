import { MAX_LOG } from '../../../lib/job/limits.ts';

/** Control characters that mark the start and the end of a log. Clients read until they see the second one. */
export const START_OF_TEXT = 2;
export const END_OF_TEXT = 3;
const REPLACEMENT = '?'.charCodeAt(0);

/** Bytes of MAX_LOG that the agent may write. The rest is reserved for messages of the server. */
const TEXT = MAX_LOG - 8192;
const CUT = `\nThe log reached its limit of ${TEXT} bytes. Further output is not stored. The run continues.\n`;

/**
 * Replaces the control characters that mark the start and the end of a log. A client that finds the end mark as the
 * last byte of a read takes the log as complete.
 */
export function cleaned(text: Uint8Array): Uint8Array {
  const clean = Uint8Array.from(text);
  for (const control of [START_OF_TEXT, END_OF_TEXT]) {
    for (let at = clean.indexOf(control); at >= 0; at = clean.indexOf(control, at + 1)) clean[at] = REPLACEMENT;
  }
  return clean;
}

/**
 * Replaces control characters and line breaks, so that text from users or agents cannot end a log or forge a line in
 * it.
 */
export function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** Returns whether a log of this size accepts no more output of the agent. */
export function isCut(logBytes: number): boolean {
  return logBytes > TEXT;
}

/**
 * Returns the part of the text that still fits into a log of this size. The first text that does not fit ends with a
 * message of the server.
 */
export function fitting(logBytes: number, text: Uint8Array): Uint8Array {
  const room = TEXT - logBytes;
  return text.length <= room ? text : Buffer.concat([text.subarray(0, room), Buffer.from(CUT)]);
}
