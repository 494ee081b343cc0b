import { exactVersion } from '../../../lib/engines/version.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { ENGINE_NAMES, type EngineKind } from '../../tenancy/index.ts';
import type { EngineReleases } from '../../workspace/index.ts';
import type { PhaseKind } from './phase.ts';

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
  const constraint = isPinned && exactVersion(version) === undefined ? version : null;
  return {
    ...{ ...parameters, engine: kind, 'terraform-version': release ?? version },
    ...{ 'engine-pinned': isPinned, 'engine-constraint': constraint },
  };
}

/**
 * Refuses a run of which every agent would have to say that there is no such release.
 * @throws 422
 */
export function requireRelease({ parameters }: { readonly parameters: EngineParameters }): void {
  const { kind, constraint, newest } = engineOf({ parameters });
  if (constraint === null || newest !== constraint) return;
  const detail = `No known release of ${ENGINE_NAMES[kind]} satisfies the version ${constraint} of this run: give the workspace another version or engine`;
  throw unprocessable([{ detail, pointer: '/data/relationships/workspace' }]);
}

/** With what the jobs of a run are carried out. */
export function engineOf({ parameters }: { readonly parameters: EngineParameters }): RunEngine {
  const { engine: kind = 'opentofu', 'engine-pinned': isPinned = true, 'terraform-version': version } = parameters;
  const constraint = parameters['engine-constraint'] ?? null;
  return { kind, version: isPinned ? version : null, newest: version, constraint };
}

/** Returns what the job of a phase is executed with. An apply gets the release that its plan was made with, and no other. */
export function engineFor(run: Parameters<typeof engineOf>[0], phase: PhaseKind): RunEngine {
  const engine = engineOf(run);
  return phase === 'apply' ? { ...engine, constraint: null } : engine;
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
