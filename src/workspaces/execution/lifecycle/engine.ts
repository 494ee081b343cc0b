import { exactVersion, satisfying } from '../../../lib/engines/version.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { ENGINE_NAMES, type EngineKind } from '../../tenancy/index.ts';
import type { EngineReleases } from '../../workspace/index.ts';
import type { PhaseKind } from './phase.ts';

/** Engine of a job. */
export interface RunEngine {
  readonly kind: EngineKind;
  /** Version of the engine. Null means the newest release that the agent has, because no version was requested. */
  readonly version: string | null;
  /** The newest known release, or the requested version. */
  readonly newest: string;
  /** Version constraint that `version` was resolved from; null for an exact version. */
  readonly constraint: string | null;
}

/** Engine settings of the workspace of a run. */
export interface EngineFacts {
  readonly defaultEngine: EngineKind;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Engine fields of a run's options. Runs from before the engine setting existed have the version only. */
export interface EngineParameters {
  readonly 'terraform-version': string;
  readonly engine?: EngineKind;
  /** Whether a version was requested; otherwise agents use the newest that they have. Not on the wire. */
  readonly 'engine-pinned'?: boolean;
  /**
   * Version constraint that `terraform-version` was resolved from, until the plan reports its release. Not on the wire.
   */
  readonly 'engine-constraint'?: string | null;
  /** Engine that was requested, since the plan reported the one that made it. Not on the wire. */
  readonly 'engine-wanted'?: Pick<RunEngine, 'kind' | 'version' | 'constraint'>;
}

/**
 * Resolves the engine when the run is created, because a constraint or `latest` may mean another release later (spec
 * §4.1).
 */
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
 * Refuses a run whose engine version no known release satisfies, because every agent would fail it.
 * @throws 422
 */
export function requireRelease({ parameters }: { readonly parameters: EngineParameters }): void {
  const { kind, constraint, newest } = engineOf({ parameters });
  if (constraint === null || newest !== constraint) return;
  const detail = `No known release of ${ENGINE_NAMES[kind]} satisfies the version ${constraint} of this run. Change the version or the engine of the workspace`;
  throw unprocessable([{ detail, pointer: '/data/relationships/workspace' }]);
}

/** Returns the engine for the jobs of a run. */
export function engineOf({ parameters }: { readonly parameters: EngineParameters }): RunEngine {
  const { engine: kind = 'opentofu', 'engine-pinned': isPinned = true, 'terraform-version': version } = parameters;
  const constraint = parameters['engine-constraint'] ?? null;
  return { kind, version: isPinned ? version : null, newest: version, constraint };
}

/** Returns the engine for the job of a phase. An apply gets exactly the release that made its plan. */
export function engineFor(run: Parameters<typeof engineOf>[0], phase: PhaseKind): RunEngine {
  const engine = engineOf(run);
  return phase === 'apply' ? { ...engine, constraint: null } : engine;
}

/** Engine that made a plan. The apply needs the same release, even if a newer one exists. */
export interface UsedEngine {
  readonly kind: EngineKind;
  readonly version: string;
}

/**
 * Returns the options with the engine that made the plan. It may differ from the requested one, because operators
 * choose the engines of agents.
 */
export function madeWith<Known extends EngineParameters>(parameters: Known, { kind, version }: UsedEngine): Known {
  const wanted = engineOf({ parameters });
  return {
    ...{ ...parameters, engine: kind, 'terraform-version': version },
    ...{ 'engine-pinned': true, 'engine-constraint': null },
    'engine-wanted': { kind: wanted.kind, version: wanted.version, constraint: wanted.constraint },
  };
}

/** Returns the engine that made the plan of a run, for people; null before its agent has reported it. */
export function usedEngine(parameters: EngineParameters): string | null {
  const { engine = 'opentofu', 'engine-wanted': wanted, 'terraform-version': version } = parameters;
  return wanted === undefined ? null : `${ENGINE_NAMES[engine]} ${version}`;
}

/** Returns a warning if the agent used another engine or version than the run requested; null if not. */
export function engineWarning(parameters: EngineParameters): string | null {
  const { engine = 'opentofu', 'engine-wanted': wanted, 'terraform-version': version } = parameters;
  if (wanted === undefined) return null;
  const isFitting =
    wanted.constraint === null ? [null, version].includes(wanted.version) : satisfying(wanted.constraint)(version);
  if (wanted.kind === engine && isFitting) return null;
  const asked = [ENGINE_NAMES[wanted.kind], wanted.constraint ?? wanted.version].filter(Boolean).join(' ');
  return (
    `The workspace asks for ${asked}, but the agent used ${ENGINE_NAMES[engine]} ${version}: its operator chose one ` +
    'engine for all runs. Change the version of the workspace, or the engine of the agent'
  );
}
