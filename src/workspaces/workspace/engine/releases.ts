import { type Comparator, parseEngineVersion, type Version } from './version.ts';

/** The last patch of each minor release: those before it exist too. Operators add what came later. */
const LAST_PATCHES: Readonly<Record<string, number>> = {
  '0.11': 15,
  '0.12': 31,
  '0.13': 7,
  '0.14': 11,
  '0.15': 5,
  '1.0': 11,
  '1.1': 9,
  '1.2': 9,
  '1.3': 10,
  '1.4': 7,
  '1.5': 7,
  '1.6': 6,
  '1.7': 10,
  '1.8': 11,
  '1.9': 8,
  '1.10': 9,
  '1.11': 6,
  '1.12': 4,
  '1.13': 5,
  '1.14': 3,
};

const BUILT_IN = Object.entries(LAST_PATCHES).flatMap(([minor, last]) =>
  Array.from({ length: last + 1 }, (_, patch) => `${minor}.${patch}`),
);

/** Negative when `one` is older than `other`; a prerelease is older than its release. */
function compare(one: Version, other: Version): number {
  const [left, right] = [one.numbers, other.numbers];
  const differing = left.findIndex((number, index) => number !== right[index]);
  if (differing >= 0) return (left[differing] ?? 0) - (right[differing] ?? 0);
  if (one.prerelease === other.prerelease) return 0;
  if (one.prerelease === '' || other.prerelease === '') return one.prerelease === '' ? 1 : -1;
  return one.prerelease < other.prerelease ? -1 : 1;
}

const HOLDS: Readonly<Record<Comparator['operator'], (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

/** `1.5.7` */
function written({ numbers, prerelease }: Version): string {
  return prerelease === '' ? numbers.join('.') : `${numbers.join('.')}-${prerelease}`;
}

/** The version when the text is one (`1.5.7`, `=1.5`); undefined for anything else. */
function exactly(text: string): Version | undefined {
  const [first, ...others] = parseEngineVersion(text) ?? [];
  return first?.operator === '=' && others.length === 0 ? first.version : undefined;
}

/**
 * The releases that a constraint is resolved against: those of both brands of the engine that were known when this was
 * written, and what the operator adds.
 */
export class EngineReleases {
  /** The newest first. */
  readonly #releases: readonly Version[];

  /** What is added and is no version is passed over. */
  constructor(added: readonly string[] = []) {
    const versions = [...BUILT_IN, ...added].flatMap((text) => exactly(text) ?? []);
    this.#releases = versions.toSorted((one, other) => compare(other, one));
  }

  /**
   * The release that an engine version stands for: the newest that satisfies it, and never a prerelease. A version that
   * is written out stands for itself, known or not. Undefined when the text is none, or nothing satisfies it.
   */
  resolve(text: string): string | undefined {
    const comparators = parseEngineVersion(text);
    if (comparators === undefined) return undefined;
    const exact = exactly(text);
    if (exact) return written(exact);
    const found = this.#releases.find(
      (release) =>
        release.prerelease === '' &&
        comparators.every(({ operator, version }) => HOLDS[operator](compare(release, version))),
    );
    return found && written(found);
  }
}
