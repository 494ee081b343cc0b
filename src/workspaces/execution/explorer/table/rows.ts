import type { StateUses } from '../../../state/index.ts';
import { allChecksSucceeded } from '../../lifecycle/assessment.ts';
import type { Packages } from '../../package/packages.ts';
import { ROW, sizeOfArray, sizeOfText } from './memory.ts';
import { moduleName, providerName, providerText, type Use, Uses } from './package-names.ts';
import type { StoredWorkspace } from './row-store.ts';

type Shown =
  | ('id' | 'name' | 'projectId' | 'createdAt' | 'updatedAt' | 'resourceCount' | 'mode' | 'engine' | 'engineVersion')
  | ('repository' | 'runId' | 'runStatus' | 'runAppliedAt' | 'stateEngineVersion' | 'assessedAt' | 'drifted')
  | ('resourcesDrifted' | 'resourcesUndrifted' | 'checksPassed' | 'checksFailed' | 'checksErrored' | 'checksUnknown');

/** Opens the encrypted summary of a state; undefined if there is none, or it cannot be read. */
export type SummaryReader = (stored: StoredWorkspace) => StateUses | undefined;

/** Providers, modules and types of a workspace, in the forms that fields show. Null parts are unknown. */
export interface WorkspaceUses {
  readonly providers: readonly Use[] | null;
  readonly providerTexts: readonly string[] | null;
  readonly modules: readonly Use[] | null;
  readonly moduleTexts: readonly string[] | null;
  /** Types of managed resources, and the number of instances of each, by position. */
  readonly types: readonly Use[] | null;
  readonly instances: readonly number[];
  /** Number of instances that HCP Terraform counts as resources under management. */
  readonly managed: number | null;
}

/** A workspace in the memory of the explorer. Rows never change: a change replaces the row. */
export interface ExplorerRow extends Pick<StoredWorkspace, Shown>, WorkspaceUses {
  readonly tags: readonly string[];
  readonly allChecksSucceeded: boolean;
  /** Time of the last apply or of the current state, whichever is later; null if there was none. */
  readonly lastAppliedAt: number | null;
  /** Estimated memory of the row, without what it shares with others. */
  readonly bytes: number;
}

/** Interned uses of an organization. */
export class OrganizationUses {
  readonly #providers = new Uses('provider');
  readonly #modules = new Uses('module');
  readonly #types = new Uses();
  readonly #summaryOf: SummaryReader;
  readonly #isLean: boolean;

  /** @param isLean true to leave out what workspaces use, if that takes too much memory */
  constructor(summaryOf: SummaryReader, isLean = false) {
    this.#summaryOf = summaryOf;
    this.#isLean = isLean;
  }

  get size(): number {
    return this.#providers.size + this.#modules.size + this.#types.size;
  }

  /** Estimated memory of what the rows share. */
  get bytes(): number {
    return this.#providers.bytes + this.#modules.bytes + this.#types.bytes;
  }

  /** Converts a stored workspace to a row. */
  rowOf(stored: StoredWorkspace): ExplorerRow {
    const { stateCreatedAt, appliedAt } = stored;
    const tags = stored.tags === null ? [] : stored.tags.split('\n');
    const uses = this.#isLean ? UNKNOWN : this.#usesOf(stored);
    // Each field by its name: a copy with the rest of another object takes twice the memory.
    return {
      id: stored.id,
      name: stored.name,
      projectId: stored.projectId,
      createdAt: stored.createdAt,
      updatedAt: stored.updatedAt,
      resourceCount: stored.resourceCount,
      mode: stored.mode,
      engine: stored.engine,
      engineVersion: stored.engineVersion,
      repository: stored.repository,
      runId: stored.runId,
      runStatus: stored.runStatus,
      runAppliedAt: stored.runAppliedAt,
      stateEngineVersion: stored.stateEngineVersion,
      assessedAt: stored.assessedAt,
      drifted: stored.drifted,
      resourcesDrifted: stored.resourcesDrifted,
      resourcesUndrifted: stored.resourcesUndrifted,
      checksPassed: stored.checksPassed,
      checksFailed: stored.checksFailed,
      checksErrored: stored.checksErrored,
      checksUnknown: stored.checksUnknown,
      providers: uses.providers,
      providerTexts: uses.providerTexts,
      modules: uses.modules,
      moduleTexts: uses.moduleTexts,
      types: uses.types,
      instances: uses.instances,
      managed: uses.managed,
      tags,
      allChecksSucceeded: checksSucceeded(stored),
      lastAppliedAt: latest(stateCreatedAt, appliedAt, stored.runAppliedAt),
      bytes: sizeOf(stored, tags, uses),
    };
  }

  #usesOf(stored: StoredWorkspace): WorkspaceUses {
    const { packages: packagesText, recordedAt, stateCreatedAt } = stored;
    const uses = stateCreatedAt === null ? NO_USES : this.#summaryOf(stored);
    // A state that is newer than the run came from elsewhere, with versions that the server does not know.
    const isCurrent = packagesText !== null && (recordedAt ?? 0) >= (stateCreatedAt ?? 0);
    const packages = isCurrent ? (JSON.parse(packagesText) as Packages) : undefined;
    const providers = this.#providersOf(uses, packages);
    const modules = this.#modulesOf(uses, packages);
    return {
      providers,
      providerTexts: textsOf(providers),
      modules,
      moduleTexts: textsOf(modules),
      types: uses?.types.map(([type, at]) => this.#type(type, uses.providers[at])) ?? null,
      instances: uses?.types.map(([, , count]) => count) ?? [],
      managed: uses === undefined ? null : managedIn(uses),
    };
  }

  #providersOf(uses: StateUses | undefined, packages: Packages | undefined): Use[] | null {
    if (uses === undefined && packages === undefined) return null;
    const versions = new Map<string, string | null>(
      packages?.providers.map(({ source, version }) => [source, version] as const),
    );
    for (const source of uses?.providers ?? []) if (!versions.has(source)) versions.set(source, null);
    return [...versions].map(([source, version]) =>
      this.#providers.use(providerName(source), source, version, providerText(source, version)),
    );
  }

  #modulesOf(uses: StateUses | undefined, packages: Packages | undefined): Use[] | null {
    if (packages === undefined) {
      // The state has the names of the calls only.
      const names = uses?.modules.map((path) => path.split('.').at(-1) ?? path);
      return names === undefined ? null : [...new Set(names)].map((name) => this.#modules.use(name, null, null, name));
    }
    const used = packages.modules.map(({ source, version }) =>
      this.#modules.use(moduleName(source), source, version, version === null ? source : `${source}/${version}`),
    );
    return [...new Set(used)];
  }

  #type(type: string, provider: string | undefined): Use {
    return this.#types.use(type, provider ?? null, null, type);
  }
}

const NO_USES: StateUses = { providers: [], types: [], modules: [] };
const UNKNOWN: WorkspaceUses = {
  ...{ providers: null, providerTexts: null, modules: null, moduleTexts: null, types: null },
  ...{ instances: [], managed: null },
};

const textsOf = (uses: readonly Use[] | null): string[] | null => uses?.map(({ text }) => text) ?? null;

/** Types that HCP Terraform does not count as resources under management. */
const NOT_MANAGED: ReadonlySet<string> = new Set(['null_resource', 'terraform_data']);

function managedIn({ types }: StateUses): number {
  return types.reduce((sum, [type, , count]) => sum + (NOT_MANAGED.has(type) ? 0 : count), 0);
}

/** A workspace that was never assessed has no drift and no failed checks, as in HCP Terraform. */
function checksSucceeded(stored: StoredWorkspace): boolean {
  const { assessmentSucceeded, resourcesDrifted, resourcesUndrifted } = stored;
  if (assessmentSucceeded === null) return true;
  const succeeded = assessmentSucceeded === 1;
  if (resourcesDrifted === null) return allChecksSucceeded({ succeeded, findings: null });
  const { checksPassed, checksFailed, checksErrored, checksUnknown } = stored;
  const counts = { resourcesDrifted, resourcesUndrifted, checksPassed, checksFailed, checksErrored, checksUnknown };
  const findings = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count ?? 0]));
  return allChecksSucceeded({
    succeeded,
    findings: findings as unknown as NonNullable<Parameters<typeof allChecksSucceeded>[0]['findings']>,
  });
}

function sizeOf(stored: StoredWorkspace, tags: readonly string[], uses: WorkspaceUses): number {
  const { id, name, projectId, mode, engine, engineVersion, repository, runId, runStatus, stateEngineVersion } = stored;
  const texts = [id, name, projectId, mode, engine, engineVersion, repository, runId, runStatus, stateEngineVersion];
  const lists = [uses.providers, uses.providerTexts, uses.modules, uses.moduleTexts, uses.types, uses.instances, tags];
  return (
    ROW +
    [...texts, ...tags].reduce((sum, text) => sum + sizeOfText(text), 0) +
    lists.reduce((sum, list) => sum + (list === null ? 0 : sizeOfArray(list)), 0)
  );
}

function latest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
}
