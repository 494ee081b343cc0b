import type { EngineKind } from '../../tenancy/index.ts';
import type { EngineReleases } from '../../workspace/index.ts';

/** What a job is carried out with. */
export interface RunEngine {
  readonly kind: EngineKind;
  /** Null for the newest that the agent has: nobody has asked for one. */
  readonly version: string | null;
  /** The newest release that is known, or the version that is asked for. */
  readonly newest: string;
  /** Version constraint that `version` was resolved from; null for an exact version. */
  readonly constraint: string | null;
}

/** What the workspace of a run says of engines. */
export interface EngineFacts {
  readonly defaultEngine: EngineKind;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What is known of the engine of a run. Runs that were made before engines were told apart say the version alone. */
export interface EngineParameters {
  readonly 'terraform-version': string;
  readonly engine?: EngineKind;
  /** Whether somebody asked for that version; else agents take the newest they have. Not on the wire. */
  readonly 'engine-pinned'?: boolean;
  /**
   * Version constraint that `terraform-version` was resolved from, until the plan reports its release. Not on the wire.
   */
  readonly 'engine-constraint'?: string | null;
}

/** The engine as it is when the run is made: what a constraint or `latest` stands for may be another one on another day (spec §4.1). */
export function withEngine<Asked extends Pick<EngineParameters, 'terraform-version'>>(
  parameters: Asked,
  facts: EngineFacts,
  releases: EngineReleases,
): Asked & EngineParameters {
  const version = parameters['terraform-version'];
  const engine = (facts.settings.engine ?? null) as EngineKind | null;
  const { kind, release, isPinned } = releases.choose({ engine, inherited: facts.defaultEngine }, version);
  const constraint = isPinned && release !== undefined && release !== version ? version : null;
  return {
    ...{ ...parameters, engine: kind, 'terraform-version': release ?? version },
    ...{ 'engine-pinned': isPinned, 'engine-constraint': constraint },
  };
}

/** With what the jobs of a run are carried out. */
export function engineOf({ parameters }: { readonly parameters: EngineParameters }): RunEngine {
  const { engine: kind = 'opentofu', 'engine-pinned': isPinned = true, 'terraform-version': version } = parameters;
  const constraint = parameters['engine-constraint'] ?? null;
  return { kind, version: isPinned ? version : null, newest: version, constraint };
}

/** What a plan was made with. Its apply needs the same, whatever is newer by then. */
export interface UsedEngine {
  readonly kind: EngineKind;
  readonly version: string;
}

/** The engine as the plan has it, which may be another one than was asked for: an operator decides what agents have. */
export function madeWith<Known extends EngineParameters>(parameters: Known, { kind, version }: UsedEngine): Known {
  return {
    ...{ ...parameters, engine: kind, 'terraform-version': version },
    ...{ 'engine-pinned': true, 'engine-constraint': null },
  };
}
