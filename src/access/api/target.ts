import { AppError } from '../../lib/errors.ts';

/** Characters of a path beyond which nothing is looked up. */
const MAX_PATH = 2_048;

/**
 * What a URL means, in the form that policies and routes compare: decoded once, without `/v1/`, the query and slashes at
 * either end. What could be read in two ways is refused (GHSA-xp3c-3jw3-4vcr, CVE-2026-3605): there is one spelling.
 * @param url as the client sent it, with the prefix
 * @throws AppError bad-request
 */
export function targetPath(url: string): string {
  const query = url.indexOf('?');
  const encoded = query < 0 ? url : url.slice(0, query);
  if (encoded.length > MAX_PATH) throw new AppError('bad-request', 'the path is too long');
  const path = decode(encoded)
    .replace(/^\/v1\/?/, '')
    .replace(/\/$/, '');
  if (path === '') return path;
  for (const part of path.split('/')) {
    if (part === '.' || part === '..') throw new AppError('bad-request', 'relative paths not supported');
    if (part === '') throw new AppError('bad-request', 'a path cannot have an empty part');
  }
  return path;
}

function decode(encoded: string): string {
  let path: string;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    throw new AppError('bad-request', 'the path is not a valid URL path');
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  if (/[\x00-\x1f\x7f]/.test(path)) throw new AppError('bad-request', 'the path holds control characters');
  return path;
}
