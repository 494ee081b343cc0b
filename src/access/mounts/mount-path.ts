import { AppError } from '../../lib/errors.ts';

/** @limit the path of a mount, characters -> 400 */
const MAX_LENGTH = 128;
/** @limit segments in the path of a mount, segments -> 400 */
const MAX_PARTS = 8;
/** One segment of a path: only characters without a special meaning in URLs, policies and logs. */
const PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** Suffix of a request path for the tuning of a mount. */
const TUNE = 'tune';

/**
 * Normalizes the path of a mount, such as `team/cert`. Removes a slash at either end.
 * @throws AppError bad-request
 */
export function mountPath(text: string): string {
  const path = text.replace(/^\/|\/$/g, '');
  const parts = path.split('/');
  if (path.length > MAX_LENGTH) throw refused(`more than ${MAX_LENGTH} characters`);
  if (parts.length > MAX_PARTS) throw refused(`more than ${MAX_PARTS} segments`);
  if (!parts.every((part) => PART.test(part))) {
    throw refused('a segment that is empty, starts with a dot, or contains characters other than A-Z a-z 0-9 . _ -');
  }
  if (parts.length > 1 && parts.at(-1) === TUNE) throw refused(`"${TUNE}" as its last segment`);
  return path;
}

/** Returns the paths above a path: `a` and `a/b` for `a/b/c`. */
export function pathsAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function refused(what: string): AppError {
  return new AppError('bad-request', `invalid mount path: ${what}`);
}
