import type { StateUses } from '../../state/index.ts';
import type { Packages } from '../package/packages.ts';
import { moduleName, providerName, providerText, type Use, Uses } from './package-names.ts';
import type { StoredWorkspace } from './row-store.ts';

type Replaced = 'blobName' | 'dataKey' | 'summary' | 'packages' | 'tags';

/** Opens the encrypted summary of a state; undefined if there is none, or it cannot be read. */
export type SummaryReader = (stored: StoredWorkspace) => StateUses | undefined;

/** A workspace in the memory of the explorer. Rows never change: a change replaces the row. */
export interface ExplorerRow extends Omit<StoredWorkspace, Replaced> {
  readonly tags: readonly string[];
  /** Providers that the workspace uses; null if unknown. */
  readonly providers: readonly Use[] | null;
  readonly modules: readonly Use[] | null;
  /** Types of managed resources, and the number of instances of each, by position. Null if unknown. */
  readonly types: readonly Use[] | null;
  readonly instances: readonly number[];
  /** Time of the last apply or of the current state, whichever is later; null if there was none. */
  readonly lastAppliedAt: number | null;
}

/** Interned uses of an organization. */
export class OrganizationUses {
  readonly providers = new Uses();
  readonly modules = new Uses();
  readonly types = new Uses();
  readonly #summaryOf: SummaryReader;

  constructor(summaryOf: SummaryReader) {
    this.#summaryOf = summaryOf;
  }

  get size(): number {
    return this.providers.size + this.modules.size + this.types.size;
  }

  /** Converts a stored workspace to a row. */
  rowOf(stored: StoredWorkspace): ExplorerRow {
    const { blobName: _, dataKey: __, summary: ___, packages: packagesText, tags, ...rest } = stored;
    const { stateCreatedAt, recordedAt, appliedAt, runAppliedAt } = stored;
    const uses = stateCreatedAt === null ? NO_USES : this.#summaryOf(stored);
    // A state that is newer than the run came from elsewhere, with versions that the server does not know.
    const isCurrent = packagesText !== null && (recordedAt ?? 0) >= (stateCreatedAt ?? 0);
    const packages = isCurrent ? (JSON.parse(packagesText) as Packages) : undefined;
    const types = uses?.types ?? [];
    return {
      ...rest,
      tags: tags === null ? [] : tags.split('\n'),
      providers: this.#providers(uses, packages),
      modules: this.#modules(uses, packages),
      types: uses === undefined ? null : types.map(([type, at]) => this.#type(type, uses.providers[at])),
      instances: types.map(([, , count]) => count),
      lastAppliedAt: latest(stateCreatedAt, appliedAt, runAppliedAt),
    };
  }

  #providers(uses: StateUses | undefined, packages: Packages | undefined): Use[] | null {
    if (uses === undefined && packages === undefined) return null;
    const versions = new Map<string, string | null>(
      packages?.providers.map(({ source, version }) => [source, version] as const),
    );
    for (const source of uses?.providers ?? []) if (!versions.has(source)) versions.set(source, null);
    return [...versions].map(([source, version]) =>
      this.providers.use(providerName(source), source, version, providerText(source, version)),
    );
  }

  #modules(uses: StateUses | undefined, packages: Packages | undefined): Use[] | null {
    if (packages === undefined) {
      // The state has the names of the calls only.
      const names = uses?.modules.map((path) => path.split('.').at(-1) ?? path);
      return names === undefined ? null : [...new Set(names)].map((name) => this.modules.use(name, null, null, name));
    }
    const used = packages.modules.map(({ source, version }) =>
      this.modules.use(moduleName(source), source, version, version === null ? source : `${source}/${version}`),
    );
    return [...new Set(used)];
  }

  #type(type: string, provider: string | undefined): Use {
    return this.types.use(type, provider ?? null, null, type);
  }
}

const NO_USES: StateUses = { providers: [], types: [], modules: [] };

function latest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
}
