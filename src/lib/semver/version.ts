/** A semantic version. Build metadata is not part of it, because it decides nothing. */
export interface Version {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  /** Identifiers joined by dots, such as `rc.1`; empty for a release. */
  readonly prerelease: string;
}

const NUMBER = '(\\d{1,9})';
const IDENTIFIERS = '([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)';
/** One to three numbers, with a prerelease and build metadata. */
export const VERSION = `${NUMBER}(?:\\.${NUMBER})?(?:\\.${NUMBER})?(?:-${IDENTIFIERS})?(?:\\+${IDENTIFIERS})?`;
const WHOLE = new RegExp(`^${VERSION}$`);
const FULL = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${IDENTIFIERS})?$`);
/** @limit version that becomes part of a path or a URL, characters -> it is not a version */
const MAX_FULL = 80;

/** Parses a version, such as `1.2.3-rc.1` or `1.2`. Missing numbers are 0. Returns undefined for another text. */
export function parseVersion(text: string): Version | undefined {
  const match = WHOLE.exec(text);
  return match === null ? undefined : versionOf(match.slice(1));
}

/** Converts the groups of `VERSION`. */
export function versionOf([major, minor, patch, prerelease = '']: readonly (string | undefined)[]): Version {
  return { numbers: [Number(major ?? 0), Number(minor ?? 0), Number(patch ?? 0)], prerelease };
}

/**
 * Returns whether a text is one version with all three numbers and without build metadata. Such a text may become part
 * of a path or a URL.
 */
export const isFullVersion = (text: string): boolean => text.length <= MAX_FULL && FULL.test(text);

/** Writes a version as `1.2.3` or `1.2.3-rc.1`. */
export function versionText({ numbers, prerelease }: Version): string {
  return prerelease === '' ? numbers.join('.') : `${numbers.join('.')}-${prerelease}`;
}

/**
 * Compares two versions by their precedence (semver.org §11). A prerelease is older than its release.
 * @returns less than 0 if `one` is older than `other`, and 0 if neither is
 */
export function compareVersions(one: Version, other: Version): number {
  const numbers = compareNumbers(one.numbers, other.numbers);
  if (numbers !== 0 || one.prerelease === other.prerelease) return numbers;
  if (one.prerelease === '' || other.prerelease === '') return one.prerelease === '' ? 1 : -1;
  return comparePrereleases(one.prerelease.split('.'), other.prerelease.split('.'));
}

/** Compares versions without their prereleases. */
export function compareNumbers(left: Version['numbers'], right: Version['numbers']): number {
  const differing = left.findIndex((number, index) => number !== right[index]);
  return differing < 0 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
}

/** The longer list is newer if it starts with the other. */
function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  for (const [index, identifier] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    const order = compareIdentifiers(identifier, against);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

const DIGITS = /^\d+$/;

/** Numbers are compared as numbers, and are older than other identifiers, which are compared by their characters. */
function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [DIGITS.test(one), DIGITS.test(other)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return isNumber ? compareDigits(one.replace(/^0+/, ''), other.replace(/^0+/, '')) : compareTexts(one, other);
}

/** The numbers may be larger than a `number` can hold. */
const compareDigits = (one: string, other: string): number => one.length - other.length || compareTexts(one, other);

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
