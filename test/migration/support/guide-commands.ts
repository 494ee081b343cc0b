import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finished } from '../../support/command.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns the `lockkeeper` commands of a guide, as its readers copy them: those in shell blocks, in their order. */
export function commandsOfGuide(name: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs/guides', name), 'utf8');
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block = '']) => block.replaceAll(/\\\n/g, ''));
  return blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line.startsWith('lockkeeper '));
}

/** Returns the first JSON block of a guide. */
export function jsonOfGuide(name: string): string {
  const text = readFileSync(join(ROOT, 'docs/guides', name), 'utf8');
  return /^ *```json\n(.*?)^ *```$/ms.exec(text)?.[1] ?? '';
}

/** Runs a line in a shell, with `lockkeeper` on the PATH and a folder of its own. */
export async function runLine(line: string, folder: string, environment: Record<string, string>): Promise<Finished> {
  const program = join(folder, 'lockkeeper');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'src/main.ts')}' "$@"\n`);
  chmodSync(program, 0o700);
  const env = { ...process.env, XDG_STATE_HOME: folder, ...environment, PATH: `${folder}:${process.env.PATH}` };
  const child = spawn('sh', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}
