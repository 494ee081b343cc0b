import {
  compareNumbers,
  compareVersions,
  exactVersion,
  isSatisfied,
  parseEngineVersion,
  type Version,
} from '../../../lib/engines/version.ts';
import { ENGINES, type EngineKind } from '../../tenancy/index.ts';
import { FIRST_OPENTOFU, LAST_PATCHES } from './catalogue.ts';

/** What a workspace says of its engine, and what it has where it does not. */
export interface EngineWish {
  readonly engine: EngineKind | null;
  readonly inherited: EngineKind;
}

/** A release that the server knows of. */
export interface KnownRelease {
  readonly version: string;
  /** Known to this program, and not only to its operator. */
  readonly isBuiltIn: boolean;
  readonly isPrerelease: boolean;
}

/** What a workspace means by its engine and the version of it. */
export interface EngineChoice {
  readonly kind: EngineKind;
  /** The release that the version stands for. Undefined when the text is none, or nothing satisfies it. */
  readonly release: string | undefined;
  /** Whether a version is asked for. If not, the newest that an agent has will do. */
  readonly isPinned: boolean;
}

/** `1.5.7` */
function written({ numbers, prerelease }: Version): string {
  return prerelease === '' ? numbers.join('.') : `${numbers.join('.')}-${prerelease}`;
}

/** `1.5.7` of each release that this program knows. */
function builtInOf(kind: EngineKind): string[] {
  return Object.entries(LAST_PATCHES[kind]).flatMap(([minor, last]) =>
    Array.from({ length: last + 1 }, (_, patch) => `${minor}.${patch}`),
  );
}

/** What is built in, and what of `added` is of this engine or of none in particular. What is no version is passed over. */
function releasesOf(kind: EngineKind, added: readonly string[]): readonly Version[] {
  const own = added.flatMap((entry) => {
    const [first = '', version = first] = entry.split(' ');
    return version === first || first === kind ? [version] : [];
  });
  const versions = [...builtInOf(kind), ...own].flatMap((text) => exactVersion(text) ?? []);
  return versions.toSorted((one, other) => compareVersions(other, one));
}

/**
 * The releases of each engine that versions and constraints are resolved against: those that were known when this was written,
 * and what the operator adds.
 */
export class EngineReleases {
  /** The newest first. */
  readonly #releases: Readonly<Record<EngineKind, readonly Version[]>>;

  /** @param added `opentofu 1.13.0`, `terraform 1.17.0`; a version alone is a release of both */
  constructor(added: readonly string[] = []) {
    const [opentofu, terraform] = ENGINES.map((kind) => releasesOf(kind, added));
    this.#releases = { opentofu: opentofu ?? [], terraform: terraform ?? [] };
  }

  /**
   * Which engine is meant, and which release: the newest that satisfies the version, and never a prerelease. A version that is
   * written out stands for itself, known or not. What only releases older than the first OpenTofu satisfy means Terraform, where
   * the workspace does not say otherwise.
   */
  choose({ engine, inherited }: EngineWish, version: string): EngineChoice {
    const comparators = parseEngineVersion(version);
    const kind = engine ?? (inherited === 'opentofu' && this.#isOlder(version) ? 'terraform' : inherited);
    const isPinned = comparators === undefined || comparators.length > 0;
    return { kind, release: this.#resolve(kind, version), isPinned };
  }

  /** Returns each release that is known of an engine once, the newest first. */
  known(kind: EngineKind): KnownRelease[] {
    const builtIn = new Set(builtInOf(kind));
    const byText = new Map(this.#releases[kind].map((release) => [written(release), release]));
    return [...byText].map(([version, { prerelease }]) => ({
      ...{ version, isBuiltIn: builtIn.has(version), isPrerelease: prerelease !== '' },
    }));
  }

  #isOlder(text: string): boolean {
    const isBefore = (version: Version) => compareNumbers(version.numbers, FIRST_OPENTOFU) < 0;
    const exact = exactVersion(text);
    if (exact !== undefined) return isBefore(exact);
    if (this.#newest('opentofu', text) !== undefined) return false;
    const newest = this.#newest('terraform', text);
    return newest !== undefined && isBefore(newest);
  }

  #resolve(kind: EngineKind, text: string): string | undefined {
    const release = exactVersion(text) ?? this.#newest(kind, text);
    return release && written(release);
  }

  #newest(kind: EngineKind, text: string): Version | undefined {
    const comparators = parseEngineVersion(text);
    return comparators && this.#releases[kind].find((release) => isSatisfied(comparators, release));
  }
}
