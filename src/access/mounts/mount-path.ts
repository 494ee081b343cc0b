import { AppError } from '../../lib/errors.ts';

/** @limit the path of a mount, characters -> 400 */
const MAX_LENGTH = 128;
/** @limit parts of the path of a mount, parts -> 400 */
const MAX_PARTS = 8;
/** One part of a path: nothing that a URL, a policy or a log could read in two ways. */
const PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** What stands at the end of a path to say what is to be done with the mount in front of it. */
const TUNE = 'tune';

/**
 * Where a method may be mounted, as it is stored: `team/cert`. A slash at either end is taken off.
 * @throws AppError bad-request
 */
export function mountPath(text: string): string {
  const path = text.replace(/^\/|\/$/g, '');
  const parts = path.split('/');
  if (path.length > MAX_LENGTH) throw refused(`more than ${MAX_LENGTH} characters`);
  if (parts.length > MAX_PARTS) throw refused(`more than ${MAX_PARTS} parts`);
  if (!parts.every((part) => PART.test(part))) {
    throw refused('a part that is empty, begins with a dot, or holds other characters than A-Z a-z 0-9 . _ -');
  }
  if (parts.length > 1 && parts.at(-1) === TUNE) throw refused(`"${TUNE}" as its last part`);
  return path;
}

/** The paths that a path lies inside of: of `a/b/c`, `a` and `a/b`. */
export function pathsAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function refused(what: string): AppError {
  return new AppError('bad-request', `invalid mount path: ${what}`);
}
