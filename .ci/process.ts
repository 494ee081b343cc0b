import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PATH = `${ROOT}/node_modules/.bin:${process.env.PATH}`;
const running = new Set<ChildProcess>();

export interface Program {
  readonly argv: readonly string[];
  /** File that gets the output. */
  readonly log: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Current folder. Default: the root. */
  readonly cwd?: string;
}

/** Runs a program to its end. @returns its exit code, or 1 if a signal ended it or it cannot be started */
export async function run({ argv: [program = '', ...args], log, env = {}, cwd = ROOT }: Program): Promise<number> {
  const output = openSync(log, 'a');
  const child = spawn(program, args, { cwd, env: { ...process.env, PATH, ...env }, stdio: ['ignore', output, output] });
  closeSync(output);
  running.add(child);
  try {
    const [code] = await once(child, 'close');
    return code ?? 1;
  } catch {
    return 1;
  } finally {
    running.delete(child);
  }
}

/** Passes a signal on to the programs, so that none of them outlives this process. */
export function stopWithThis(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      for (const child of running) child.kill('SIGTERM');
      process.exit(1);
    });
  }
}
