import { GitError } from '../git-remote.ts';

/** Most characters of a server's text in a message. */
const SHOWN = 200;
const IS_GONE = /not our ref|not valid|not found|does not exist|no such|unknown (commit|object)/i;
const IS_REFUSED = /denied|unauthorized|forbidden|not allowed/i;

/** Returns the error for a text that the Git server sent instead of a result. */
export function serverError(text: string): GitError {
  const kind = IS_GONE.test(text) ? 'gone' : IS_REFUSED.test(text) ? 'refused' : 'unreachable';
  return new GitError(kind, `The Git server answered: ${printable(text)}`);
}

/** Returns a text of a stranger in one line of printable characters, shortened. */
export function printable(text: string): string {
  const line = text
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, SHOWN);
  return JSON.stringify(line);
}

/** Returns the text of an `ERR` packet; undefined for other packets. */
export function errorText(content: Buffer): string | undefined {
  return content.toString('latin1', 0, 4) === 'ERR ' ? content.toString('utf8', 4) : undefined;
}
