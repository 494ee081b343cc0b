import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { JobFailure } from '../ports.ts';
import { type Engine, NAMES } from './kinds.ts';

/** @limit time for an engine to print its version, ms -> the engine is not used */
const MAX_ANSWER = 20_000;
/** @limit engine binaries whose versions are cached, binaries -> the version is queried again */
const MAX_KNOWN = 100;

/** Name and version that a program printed, and a fingerprint of its file at that time. */
export interface KnownEngine {
  readonly file: string;
  readonly engine: Engine;
}

const known = new LRUCache<string, KnownEngine>({ max: MAX_KNOWN });

/** Returns the engines that this process knows, so that another process of the agent need not start them again. */
export const knownEngines = (): KnownEngine[] => [...known.values()];

/** Adds engines that another process of this agent knows. */
export function rememberEngines(all: readonly KnownEngine[]): void {
  for (const one of all) known.set(one.engine.program, one);
}

/**
 * Returns name and version of an engine binary. Runs the binary only if its file has changed since the last call.
 * @throws JobFailure if it does not work, or is neither OpenTofu nor Terraform
 */
export async function engineAt(program: string): Promise<Engine> {
  const file = fileOf(program);
  const before = known.get(program);
  if (file !== undefined && before?.file === file) return before.engine;
  const answer = await answerOf(program).catch((cause) => {
    throw new JobFailure(`The engine ${program} does not work: ${cause.message.trim()}`, { cause });
  });
  const [, name, version] = /^(OpenTofu|Terraform) v(\S+)/m.exec(answer) ?? [];
  if (version === undefined) throw new JobFailure(`${program} is neither OpenTofu nor Terraform`);
  const engine: Engine = { kind: name === NAMES.opentofu ? 'opentofu' : 'terraform', version, program };
  if (file !== undefined) known.set(program, { file, engine });
  return engine;
}

function fileOf(program: string): string | undefined {
  const stat = statSync(program, { throwIfNoEntry: false });
  return stat && [stat.dev, stat.ino, stat.size, stat.mtimeMs].join(' ');
}

async function answerOf(program: string): Promise<string> {
  const options = { env: { CHECKPOINT_DISABLE: '1', HOME: '/nonexistent' }, cwd: '/', timeout: MAX_ANSWER };
  return (await promisify(execFile)(program, ['version'], options)).stdout;
}
