import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isNewer, isPrerelease, satisfying } from '../../lib/engines/version.ts';
import { isFullVersion } from '../../lib/semver/index.ts';
import type { EngineKind, Job } from '../job.ts';
import { JobFailure } from '../ports.ts';
import { isExecutable, programOn } from '../programs.ts';
import { engineAt } from './answers.ts';
import { download, type EngineDownloads } from './download/download.ts';
import { type Engine, NAMES, PROGRAMS } from './kinds.ts';
import { inWords, notHere } from './missing.ts';

/** Places where engines are searched, in this order: `always`, the folder, the PATH, downloads. */
export interface EnginePlaces {
  /**
   * Folder with the layout `opentofu/1.10.7/tofu` and `terraform/1.11.4/terraform`; null for none. Downloads go there.
   */
  readonly folder: string | null;
  /** Directories as in `PATH`. */
  readonly path: string;
  /** Path of an engine that is used for all jobs, even if they request another engine. */
  readonly always?: string | null;
  /** Null disables downloads. Downloads need `folder`. */
  readonly downloads?: EngineDownloads | null;
}

/** Returns the display name of an engine. */
export const engineName = (kind: EngineKind): string => NAMES[kind];

/**
 * Finds the engine for a job. If the job requests no exact version, returns the newest matching release on this
 * machine; if there is none, downloads the newest release that the job names.
 * @throws JobFailure if there is none; the message says where it was searched and how to correct that
 */
export async function findEngine(asked: Job['engine'], places: EnginePlaces, signal: AbortSignal): Promise<Engine> {
  if (places.always) return await engineAt(places.always);
  const { kind, version, constraint = null } = asked;
  if (version !== null && constraint === null && !isFullVersion(version)) {
    throw new JobFailure(
      `${version} is not a release of ${NAMES[kind]}: set the workspace to a version such as 1.12.6`,
    );
  }
  const onPath = await allOnPath(places.path);
  const here = newestOf([...inFolder(kind, places.folder), ...onPath], asked);
  if (here !== undefined) return here;
  return await downloaded(asked, places, onPath, signal);
}

/** Returns whether this agent can execute jobs for engines that it does not have yet. */
export const hasAnyEngine = ({ always, downloads = null, folder }: EnginePlaces): boolean =>
  Boolean(always) || (downloads !== null && folder !== null);

/** Returns all installed engines. @throws JobFailure if the engine of `always` does not work */
export async function enginesHere({ always, folder, path }: EnginePlaces): Promise<Engine[]> {
  if (always) return [await engineAt(always)];
  return [...inFolder('opentofu', folder), ...inFolder('terraform', folder), ...(await allOnPath(path))];
}

async function downloaded(
  asked: Job['engine'],
  places: EnginePlaces,
  onPath: readonly Engine[],
  signal: AbortSignal,
): Promise<Engine> {
  const { folder, downloads = null } = places;
  const version = asked.version ?? asked.newest ?? null;
  if (downloads === null || folder === null || version === null || !isFullVersion(version)) {
    throw new JobFailure(
      notHere(asked, places, [...inFolder('opentofu', folder), ...inFolder('terraform', folder), ...onPath]),
    );
  }
  try {
    await download({ kind: asked.kind, version, folder, downloads }, signal);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const { message } = cause as Error;
    const what = inWords(asked.kind, version);
    throw new JobFailure(`This agent does not have ${what}, and the download failed: ${message}`, { cause });
  }
  return { kind: asked.kind, version, program: placeOf(folder, asked.kind, version) };
}

/** Returns the newest matching engine; of equal versions the first. Prefers releases to prereleases. */
function newestOf(engines: readonly Engine[], { kind, version, constraint = null }: Job['engine']): Engine | undefined {
  const fits = constraint === null ? (one: string) => version === null || one === version : satisfying(constraint);
  const fitting = engines.filter((one) => one.kind === kind && fits(one.version));
  const releases = fitting.filter((one) => !isPrerelease(one.version));
  const choice = releases.length > 0 ? releases : fitting;
  return choice.reduce<Engine | undefined>(
    (best, one) => (best === undefined || isNewer(one.version, best.version) ? one : best),
    undefined,
  );
}

const placeOf = (folder: string, kind: EngineKind, version: string): string =>
  join(folder, kind, version, PROGRAMS[kind]);

/** Returns the engines in the folder, newest first. */
function inFolder(kind: EngineKind, folder: string | null): Engine[] {
  if (folder === null) return [];
  return versionsIn(join(folder, kind))
    .map((version) => ({ kind, version, program: placeOf(folder, kind, version) }))
    .filter(({ program }) => isExecutable(program));
}

function versionsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(isFullVersion)
      .sort((a, b) => (isNewer(a, b) ? -1 : 1));
  } catch {
    return [];
  }
}

/** Returns the engines on the PATH that work. */
async function allOnPath(path: string): Promise<Engine[]> {
  const programs = Object.values(PROGRAMS).flatMap((name) => programOn(path, name) ?? []);
  const asked = await Promise.allSettled(programs.map(engineAt));
  return asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
