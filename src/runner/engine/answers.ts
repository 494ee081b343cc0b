import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { JobFailure } from '../ports.ts';
import { type Engine, NAMES } from './kinds.ts';

/** @limit an engine that is asked for its version, ms -> it is not used */
const MAX_ANSWER = 20_000;
/** @limit programs whose versions are remembered, programs -> they are asked again */
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
 * Which engine a program is. It is started only if its file has changed since.
 * @throws JobFailure where it does not work, or is none
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
