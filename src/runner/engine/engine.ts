import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { satisfying } from '../../lib/engines/version.ts';
import type { EngineKind, Job } from '../job.ts';
import { JobFailure } from '../ports.ts';
import { isExecutable, programOn } from '../programs.ts';
import { engineAt } from './answers.ts';
import { download, type EngineDownloads } from './download/download.ts';
import { type Engine, NAMES, PROGRAMS } from './kinds.ts';
import { inWords, notHere } from './missing.ts';
import { isNewer, isPrerelease, isVersion } from './version.ts';

/** Where engines are looked for, in this order: `always`, the folder, the PATH, downloads. */
export interface EnginePlaces {
  /** Has `opentofu/1.10.7/tofu` and `terraform/1.11.4/terraform`; null for none. What is downloaded is put there. */
  readonly folder: string | null;
  /** A PATH. */
  readonly path: string;
  /** One that is used whatever is asked for. */
  readonly always?: string | null;
  /** Null for none. They need a folder. */
  readonly downloads?: EngineDownloads | null;
}

/** What it is called. */
export const engineName = (kind: EngineKind): string => NAMES[kind];

/**
 * The engine that a job asks for. Where it asks for no version, or for any that satisfies a constraint: the newest such release that is
 * here; where none is, the newest that the job knows of is downloaded.
 * @throws JobFailure where there is none, with where it was looked for and what to do
 */
export async function findEngine(asked: Job['engine'], places: EnginePlaces, signal: AbortSignal): Promise<Engine> {
  if (places.always) return await engineAt(places.always);
  const { kind, version, constraint = null } = asked;
  if (version !== null && constraint === null && !isVersion(version)) {
    throw new JobFailure(`${version} is no release of ${NAMES[kind]}: give the workspace one such as 1.12.6`);
  }
  const onPath = await allOnPath(places.path);
  const here = newestOf([...inFolder(kind, places.folder), ...onPath], asked);
  if (here !== undefined) return here;
  return await downloaded(asked, places, onPath, signal);
}

/** Whether engines that are not here can be had all the same, or are not needed. */
export const hasAnyEngine = ({ always, downloads = null, folder }: EnginePlaces): boolean =>
  Boolean(always) || (downloads !== null && folder !== null);

/** All engines of this machine, without those that could be downloaded. @throws JobFailure where the one for all does not work */
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
  if (downloads === null || folder === null || version === null || !isVersion(version)) {
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
    throw new JobFailure(`${what} is not on this agent, and the download failed: ${message}`, { cause });
  }
  return { kind: asked.kind, version, program: placeOf(folder, asked.kind, version) };
}

/** Returns the newest of those that are asked for, the first of several. A prerelease only where nothing else is. */
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

/** The newest first. */
function inFolder(kind: EngineKind, folder: string | null): Engine[] {
  if (folder === null) return [];
  return versionsIn(join(folder, kind))
    .map((version) => ({ kind, version, program: placeOf(folder, kind, version) }))
    .filter(({ program }) => isExecutable(program));
}

function versionsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(isVersion)
      .sort((a, b) => (isNewer(a, b) ? -1 : 1));
  } catch {
    return [];
  }
}

/** What does not work is passed over. */
async function allOnPath(path: string): Promise<Engine[]> {
  const programs = Object.values(PROGRAMS).flatMap((name) => programOn(path, name) ?? []);
  const asked = await Promise.allSettled(programs.map(engineAt));
  return asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
