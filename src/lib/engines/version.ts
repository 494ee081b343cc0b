import {
  type Constraint,
  compareVersions,
  isSatisfied,
  parseConstraint,
  parseVersion,
  type Version,
} from '../semver/index.ts';

/** Parses a version (`1.5.7`), a constraint (`~> 1.5, != 1.5.2`) or `latest`. Returns undefined for another text. */
export const parseEngineVersion = (text: string): Constraint | undefined =>
  text === 'latest' ? [] : parseConstraint(text);

/**
 * Returns whether a release satisfies a constraint. A prerelease never does, not even where `~>` names one: users name
 * a prerelease exactly to get it.
 */
export function isReleaseFor(constraint: Constraint, release: Version): boolean {
  const ofReleases = constraint.map((condition) =>
    condition.operator === '~>' ? { ...condition, version: { ...condition.version, prerelease: '' } } : condition,
  );
  return release.prerelease === '' && isSatisfied(ofReleases, release);
}

/** Returns a predicate for versions that satisfy a constraint. An invalid constraint accepts no version. */
export function satisfying(text: string): (version: string) => boolean {
  const constraint = parseEngineVersion(text);
  return (version) => {
    const release = exactVersion(version);
    return constraint !== undefined && release !== undefined && isReleaseFor(constraint, release);
  };
}

/** Returns the exact version of a text (`1.5.7`, `=1.5`); undefined for a constraint, `latest` and anything else. */
export function exactVersion(text: string): Version | undefined {
  const [first, ...others] = parseEngineVersion(text) ?? [];
  return first?.operator === '=' && others.length === 0 ? first.version : undefined;
}

/** Compares versions of an engine. Vendors write the number of a prerelease without a dot: `rc10` is newer than `rc2`. */
export const compareEngineVersions = (one: Version, other: Version): number =>
  compareVersions(withDots(one), withDots(other));

const withDots = ({ numbers, prerelease }: Version): Version => ({
  numbers,
  prerelease: prerelease.replaceAll(/(?<=[A-Za-z])(?=\d)/g, '.'),
});

/** Returns whether one version of an engine is newer than another. A text that is no version is the oldest. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [parseVersion(version), parseVersion(than)];
  return one !== undefined && (other === undefined || compareEngineVersions(one, other) > 0);
}

/** Returns whether a version is a prerelease. */
export const isPrerelease = (version: string): boolean => (parseVersion(version)?.prerelease ?? '') !== '';
