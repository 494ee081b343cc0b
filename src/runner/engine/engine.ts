import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EngineKind, Job } from '../job.ts';
import { JobFailure } from '../ports.ts';
import { isExecutable, programOn } from '../programs.ts';
import { isNewer } from './version.ts';

const NAMES = { opentofu: 'OpenTofu', terraform: 'Terraform' } as const;
const PROGRAMS = { opentofu: 'tofu', terraform: 'terraform' } as const;
/** @limit an engine that is asked for its version, ms -> it is not used */
const MAX_ANSWER = 20_000;

/** An engine on this machine. */
export interface Engine {
  readonly kind: EngineKind;
  readonly version: string;
  readonly program: string;
}

/** Where engines are looked for. */
export interface EnginePlaces {
  /** Has `opentofu/1.10.7/tofu` and `terraform/1.11.4/terraform`; null for none. */
  readonly folder: string | null;
  /** A PATH. */
  readonly path: string;
}

/** What it is called. */
export const engineName = (kind: EngineKind): string => NAMES[kind];

/**
 * The engine that a job asks for: out of the folder, else from the PATH if the version there fits.
 * @throws JobFailure where it is not here, with what to do
 */
export async function findEngine({ kind, version }: Job['engine'], places: EnginePlaces): Promise<Engine> {
  const kept = inFolder(kind, version, places.folder);
  if (kept !== undefined) return kept;
  const other = await onPath(kind, places.path);
  if (other !== undefined && (version === null || other.version === version)) return other;
  throw new JobFailure(notHere(kind, version, places, other));
}

/** All engines of this machine. */
export async function enginesHere(places: EnginePlaces): Promise<Engine[]> {
  const found = await Promise.all(
    (['opentofu', 'terraform'] as const).map(async (kind) => {
      const kept = versions(kind, places.folder).map((version) => inFolder(kind, version, places.folder));
      return [...kept, await onPath(kind, places.path)];
    }),
  );
  return found.flat().filter((engine) => engine !== undefined);
}

function inFolder(kind: EngineKind, asked: string | null, folder: string | null): Engine | undefined {
  const version = asked ?? versions(kind, folder)[0];
  if (folder === null || version === undefined || /[/\0]|^\.+$/.test(version)) return undefined;
  const program = join(folder, kind, version, PROGRAMS[kind]);
  return isExecutable(program) ? { kind, version, program } : undefined;
}

/** The newest first. */
function versions(kind: EngineKind, folder: string | null): string[] {
  if (folder === null) return [];
  try {
    return readdirSync(join(folder, kind)).sort((a, b) => (isNewer(a, b) ? -1 : 1));
  } catch {
    return [];
  }
}

async function onPath(kind: EngineKind, path: string): Promise<Engine | undefined> {
  const program = programOn(path, PROGRAMS[kind]);
  if (program === undefined) return undefined;
  try {
    const options = { env: { CHECKPOINT_DISABLE: '1', HOME: '/nonexistent' }, cwd: '/', timeout: MAX_ANSWER };
    const { stdout } = await promisify(execFile)(program, ['version', '-json'], options);
    const { terraform_version: version } = JSON.parse(stdout);
    return typeof version === 'string' ? { kind, version, program } : undefined;
  } catch {
    return undefined;
  }
}

function notHere(kind: EngineKind, version: string | null, { folder }: EnginePlaces, other?: Engine): string {
  const name = version === null ? NAMES[kind] : `${NAMES[kind]} ${version}`;
  const onPath = other === undefined ? '' : ` (the one on the PATH is ${other.version})`;
  const place = folder === null ? '' : `in ${join(folder, kind, version ?? 'VERSION', PROGRAMS[kind])}, or `;
  return `${name} is not on this agent${onPath}: put it ${place}on the PATH`;
}
