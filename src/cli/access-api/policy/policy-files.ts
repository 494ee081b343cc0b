import { readFileSync, writeFileSync } from 'node:fs';
import { checkPolicy } from '../../../access/index.ts';
import { CommandError, usageError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { printable } from '../../output/printable.ts';
import { formatPolicy } from './format.ts';

const STDIN = 0;

/** @throws CommandError if a file has a fault */
export async function checkFiles(files: readonly string[]): Promise<void> {
  let faults = 0;
  for (const file of files) {
    const { error, warnings, paths } = checkPolicy(read(file));
    for (const warning of warnings) process.stderr.write(`${file}: warning: ${printable(warning)}\n`);
    if (error === undefined) process.stdout.write(`${file}: valid, ${paths} ${paths === 1 ? 'path' : 'paths'}\n`);
    else {
      faults += 1;
      process.stderr.write(`${file}: ${printable(error)}\n`);
    }
  }
  if (faults > 0) throw new CommandError(faults === 1 ? 'a policy is not valid' : `${faults} policies are not valid`);
}

/** @throws CommandError for a policy that is not valid, or with `--check` if a file is not formatted */
export async function formatFiles(
  files: readonly string[],
  { check = false }: { readonly check?: boolean },
): Promise<void> {
  let changed = 0;
  for (const file of files) {
    const text = read(file);
    const { error } = checkPolicy(text);
    if (error !== undefined) throw new CommandError(`${file}: ${printable(error)}`);
    const formatted = formatPolicy(text);
    if (file === '-' && !check) process.stdout.write(formatted);
    if (formatted === text) continue;
    changed += 1;
    if (file === '-') continue;
    process.stdout.write(`${file}\n`);
    if (!check) write(file, formatted);
  }
  if (check && changed > 0)
    throw new CommandError('some policies are not formatted: lockkeeper policy fmt', EXIT.failed);
}

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? STDIN : file, 'utf8');
  } catch (error) {
    throw usageError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw usageError(`cannot write ${file}: ${(error as Error).message}`);
  }
}
