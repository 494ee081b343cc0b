/** The control characters around a log: clients read on until they see the second one. */
export const START_OF_TEXT = 2;
export const END_OF_TEXT = 3;
const REPLACEMENT = '?'.charCodeAt(0);

/** All of the log of one phase, bytes. */
export const MAX_LOG = 16 * 1_048_576;
/** Of it, what is left for what we say ourselves, bytes. */
const OUR_OWN = 8192;
/**
 * What is written to a log by whoever carries out the run.
 * @limit the log of a phase, bytes -> the log says that it is cut, and what follows is dropped
 */
const MAX_TEXT = 16 * 1_048_576 - OUR_OWN;
const CUT = `\nThe log is cut here: it has ${MAX_TEXT} bytes, and what follows is not kept. The run goes on.\n`;

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

/** Whether the log of so many bytes takes nothing more of those who carry out the run. */
export function isCut(logBytes: number): boolean {
  return logBytes > MAX_TEXT;
}

/** What is kept of a text that is appended to a log of so many bytes; the first that is too much ends with our word. */
export function fitting(logBytes: number, text: Uint8Array): Uint8Array {
  const room = MAX_TEXT - logBytes;
  return text.length <= room ? text : Buffer.concat([text.subarray(0, room), Buffer.from(CUT)]);
}
