import { basename } from 'node:path';
import { findBubblewrap, isExecutable, JobFailure, type NetworkSettings, programOn } from '../../runner/index.ts';
import { CommandError } from '../errors/command-error.ts';

/** Engine and isolation of a demo. */
export interface DemoEngine {
  /** Path of the engine. */
  readonly engine: string;
  readonly kind: 'opentofu' | 'terraform';
  readonly isolation: 'bubblewrap' | 'none';
  readonly network: 'isolated' | 'host';
  /** Reason for missing isolation. Undefined if runs are isolated. */
  readonly warning: string | undefined;
}

/** Environment variable that overrides the PATH. */
const NAMED = 'LOCKKEEPER_ENGINE';

/**
 * Finds the engine on this machine. Nothing is downloaded.
 * @returns undefined without an engine
 * @throws CommandError if the named engine does not exist
 */
export async function findDemoEngine(): Promise<DemoEngine | undefined> {
  const { PATH = '', [NAMED]: named } = process.env;
  if (named && !isExecutable(named)) throw new CommandError(`${NAMED}: ${named} is not an executable file`);
  const engine = named || programOn(PATH, 'tofu') || programOn(PATH, 'terraform');
  if (!engine) return undefined;
  const kind = basename(engine).includes('terraform') ? 'terraform' : 'opentofu';
  const warning = await whyNotIsolated(PATH, { denied: [], reachServer: true });
  const isIsolated = warning === undefined;
  const hasSandbox = isIsolated || (await whyNotIsolated(PATH, null)) === undefined;
  const network = isIsolated ? 'isolated' : 'host';
  return { engine, kind, isolation: hasSandbox ? 'bubblewrap' : 'none', network, warning };
}

/** Only the demo runs without a sandbox, and it says so. */
async function whyNotIsolated(path: string, network: NetworkSettings | null): Promise<string | undefined> {
  try {
    await findBubblewrap(path, network);
    return undefined;
  } catch (error) {
    if (error instanceof JobFailure) return error.message;
    throw error;
  }
}
