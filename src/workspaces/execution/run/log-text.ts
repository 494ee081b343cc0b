import { MAX_LOG } from '../../../lib/job/limits.ts';

/** The control characters around a log: clients read on until they see the second one. */
export const START_OF_TEXT = 2;
export const END_OF_TEXT = 3;
const REPLACEMENT = '?'.charCodeAt(0);

/** Bytes of MAX_LOG that the agent may write. The rest is reserved for messages of the server. */
const TEXT = MAX_LOG - 8192;
const CUT = `\nThe log is cut here: it has ${TEXT} bytes, and what follows is not kept. The run goes on.\n`;

/**
 * The text without the control characters that mean something around it: a client that finds the second one at the end of
 * what it has just read takes the log for ended.
 */
export function cleaned(text: Uint8Array): Uint8Array {
  const clean = Uint8Array.from(text);
  for (const control of [START_OF_TEXT, END_OF_TEXT]) {
    for (let at = clean.indexOf(control); at >= 0; at = clean.indexOf(control, at + 1)) clean[at] = REPLACEMENT;
  }
  return clean;
}

/** What others say is no end of a log, nor a line of somebody else's. */
export function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** Whether the log of so many bytes takes nothing more of those who carry out the run. */
export function isCut(logBytes: number): boolean {
  return logBytes > TEXT;
}

/** What is kept of a text that is appended to a log of so many bytes; the first that is too much ends with our word. */
export function fitting(logBytes: number, text: Uint8Array): Uint8Array {
  const room = TEXT - logBytes;
  return text.length <= room ? text : Buffer.concat([text.subarray(0, room), Buffer.from(CUT)]);
}
