import { compareEngineVersions, exactVersion, isReleaseFor, parseEngineVersion } from '../../../lib/engines/version.ts';
import { compareNumbers, type Version, versionText } from '../../../lib/semver/index.ts';
import { ENGINES, type EngineKind } from '../../tenancy/index.ts';
import { FIRST_OPENTOFU, LAST_PATCHES } from './catalogue.ts';

/** The engine that a workspace names, and the one that it inherits otherwise. */
export interface EngineWish {
  readonly engine: EngineKind | null;
  readonly inherited: EngineKind;
}

/** A release that the server knows. */
export interface KnownRelease {
  readonly version: string;
  /** True if the release is built in, false if only the operator added it. */
  readonly isBuiltIn: boolean;
  readonly isPrerelease: boolean;
}

/** The engine and the release that a workspace resolves to. */
export interface EngineChoice {
  readonly kind: EngineKind;
  /** Release that the version resolves to. Undefined if the text is not a version, or no release satisfies it. */
  readonly release: string | undefined;
  /** Whether the workspace requests a version. If not, the agent uses the newest that it has. */
  readonly isPinned: boolean;
}

/** Built-in releases, in the form `1.5.7`. */
function builtInOf(kind: EngineKind): string[] {
  return Object.entries(LAST_PATCHES[kind]).flatMap(([minor, last]) =>
    Array.from({ length: last + 1 }, (_, patch) => `${minor}.${patch}`),
  );
}

/**
 * Merges the built-in releases with those of `added` that name this engine or none. Ignores texts that are not
 * versions.
 */
function releasesOf(kind: EngineKind, added: readonly string[]): readonly Version[] {
  const own = added.flatMap((entry) => {
    const [first = '', version = first] = entry.split(' ');
    return version === first || first === kind ? [version] : [];
  });
  const versions = [...builtInOf(kind), ...own].flatMap((text) => exactVersion(text) ?? []);
  return versions.toSorted((one, other) => compareEngineVersions(other, one));
}

/**
 * Releases of each engine against which versions and constraints are resolved: the built-in catalogue and the
 * operator's additions.
 */
export class EngineReleases {
  /** Releases of one engine, newest first. */
  readonly #releases: Readonly<Record<EngineKind, readonly Version[]>>;

  /**
   * Merges the built-in releases with added ones.
   * @param added `opentofu 1.13.0`, `terraform 1.17.0`; a version without an engine counts for both
   */
  constructor(added: readonly string[] = []) {
    const [opentofu, terraform] = ENGINES.map((kind) => releasesOf(kind, added));
    this.#releases = { opentofu: opentofu ?? [], terraform: terraform ?? [] };
  }

  /**
   * Resolves engine and release: the newest release that satisfies the version, never a prerelease. A complete version
   * resolves to itself, even if the catalogue lacks it. If only releases older than the first OpenTofu satisfy the
   * version, the engine is Terraform unless the workspace names one.
   */
  choose({ engine, inherited }: EngineWish, version: string): EngineChoice {
    const constraint = parseEngineVersion(version);
    const kind = engine ?? (inherited === 'opentofu' && this.#isOlder(version) ? 'terraform' : inherited);
    const isPinned = constraint === undefined || constraint.length > 0;
    return { kind, release: this.#resolve(kind, version), isPinned };
  }

  /** Returns each known release of an engine once, newest first. */
  known(kind: EngineKind): KnownRelease[] {
    const builtIn = new Set(builtInOf(kind));
    const byText = new Map(this.#releases[kind].map((release) => [versionText(release), release]));
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
    return release && versionText(release);
  }

  #newest(kind: EngineKind, text: string): Version | undefined {
    const constraint = parseEngineVersion(text);
    return constraint && this.#releases[kind].find((release) => isReleaseFor(constraint, release));
  }
}
