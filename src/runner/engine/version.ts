/**
 * Returns whether one version of an engine is newer than another. A release is newer than its prereleases
 * (`1.12.0-rc1`).
 */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [numbers(version), numbers(than)];
  for (const [n, number] of a.entries()) {
    const other = b[n] ?? 0;
    if (number !== other) return number > other;
  }
  const [mine, others] = [prerelease(version), prerelease(than)];
  if (mine === '' || others === '') return mine === '' && others !== '';
  return mine.localeCompare(others, 'en', { numeric: true }) > 0;
}

const numbers = (version: string): number[] =>
  (version.split('-')[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0);

/** Returns `rc1` for `1.12.0-rc1`. */
const prerelease = (version: string): string => version.split('-').slice(1).join('-');

/** Returns whether a text is exactly one version. Versions become part of paths and URLs. */
export const isVersion = (text: string): boolean =>
  /^\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z]([0-9A-Za-z.-]{0,48}))?$/.test(text);

/** Returns whether a version is a prerelease. */
export const isPrerelease = (version: string): boolean => version.includes('-');
