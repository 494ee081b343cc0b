import { basename } from 'node:path';
import { findBubblewrap, isExecutable, JobFailure, type NetworkSettings, programOn } from '../../runner/index.ts';
import { CommandError } from '../errors/command-error.ts';

/** What a demo carries out runs with. */
export interface DemoEngine {
  /** A program. */
  readonly engine: string;
  readonly kind: 'opentofu' | 'terraform';
  readonly isolation: 'bubblewrap' | 'none';
  readonly network: 'isolated' | 'host';
  /** Why runs are not kept from this machine; undefined where they are. */
  readonly warning: string | undefined;
}

/** In place of what is on the PATH. */
const NAMED = 'LOCKKEEPER_ENGINE';

/**
 * The engine that is on this machine. Nothing is downloaded.
 * @returns undefined where there is none
 * @throws CommandError for one that is named, and not there
 */
export async function findDemoEngine(): Promise<DemoEngine | undefined> {
  const { PATH = '', [NAMED]: named } = process.env;
  if (named && !isExecutable(named)) throw new CommandError(`${NAMED}: ${named} is no program`);
  const engine = named || programOn(PATH, 'tofu') || programOn(PATH, 'terraform');
  if (!engine) return undefined;
  const kind = basename(engine).includes('terraform') ? 'terraform' : 'opentofu';
  const warning = await whyNotIsolated(PATH, { denied: [], reachServer: true });
  const isIsolated = warning === undefined;
  const hasSandbox = isIsolated || (await whyNotIsolated(PATH, null)) === undefined;
  const network = isIsolated ? 'isolated' : 'host';
  return { engine, kind, isolation: hasSandbox ? 'bubblewrap' : 'none', network, warning };
}

/** The demo alone goes on without a sandbox, and says so. */
async function whyNotIsolated(path: string, network: NetworkSettings | null): Promise<string | undefined> {
  try {
    await findBubblewrap(path, network);
    return undefined;
  } catch (error) {
    if (error instanceof JobFailure) return error.message;
    throw error;
  }
}
