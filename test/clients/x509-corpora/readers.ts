import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { output } from '../../support/machine/installed.ts';
import { installed } from '../support/installation.ts';
import type { Input, Kind } from './inputs.ts';
import type { Reading } from './reading.ts';

const PYTHON = fileURLToPath(new URL('python', import.meta.url));
const MAX_OUTPUT_BYTES = 2 ** 28;

/** The other parsers, in the order of the page. */
export const READERS = ['Go', 'OpenSSL', 'pyca'] as const;
export type Reader = (typeof READERS)[number];

const venv = (): string => join(installed.x509Corpora, 'venv/bin/python');
const COMMANDS: Readonly<Record<Reader, () => readonly [program: string, ...args: string[]]>> = {
  Go: () => [join(installed.x509Corpora, 'go-reader')],
  OpenSSL: () => [venv(), join(PYTHON, 'openssl.py')],
  pyca: () => [venv(), join(PYTHON, 'pyca.py')],
};

/** Returns the inputs that were found in the corpora at installation. */
export function installedInputs(): Input[] {
  const lines = readFileSync(join(installed.x509Corpora, 'inputs.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const { kind, name, der } = JSON.parse(line) as { kind: Kind; name: string; der: string };
    return { kind, name, der: Buffer.from(der, 'base64') };
  });
}

/** Package and version, by the prefix of the inputs of a corpus. */
export function installedCorpora(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(installed.x509Corpora, 'corpora.json'), 'utf8'));
}

/** Parses every input in one process of the parser. */
export async function readWith(reader: Reader, inputs: readonly Input[]): Promise<Reading[]> {
  const [program, ...args] = COMMANDS[reader]();
  const running = promisify(execFile)(program, args, { maxBuffer: MAX_OUTPUT_BYTES });
  const lines = inputs.map(({ kind, der }) => `${JSON.stringify({ kind, der: der.toString('base64') })}\n`);
  // A parser that exits early has an exit code other than 0.
  running.child.stdin?.on('error', () => {}).end(lines.join(''));
  const { stdout } = await running;
  const readings = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Reading);
  if (readings.length !== inputs.length) throw new Error(`${reader} answered ${readings.length} of ${inputs.length}`);
  return readings;
}

/** `Go 1.26.8, OpenSSL 3.0.19, pyca/cryptography 50.0.2` */
export function versions(): string {
  const go = output('go', ['version', join(installed.x509Corpora, 'go-reader')], PYTHON).replace(/^.*: go/, 'Go ');
  const openssl = output(venv(), [join(PYTHON, 'openssl.py'), '--version'], PYTHON)
    .split(' ')
    .slice(0, 2)
    .join(' ');
  const pyca = output(venv(), ['-c', 'import cryptography; print(cryptography.__version__)'], PYTHON);
  return `${go}, ${openssl}, pyca/cryptography ${pyca}`;
}
