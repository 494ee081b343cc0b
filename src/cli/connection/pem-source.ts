import { readFileSync } from 'node:fs';
import { NotText, pemOf } from '../../lib/pem/pem-of.ts';
import { usageError } from '../errors/command-error.ts';

const STDIN = 0;

/**
 * Reads a file, or standard input for `-`, as PEM. Converts certificates, CRLs and keys from DER and PKCS#7.
 * @throws CommandError with the path of the file and its actual content, if the file is not usable
 */
export function readSource(source: string, what?: string): string {
  const name = source === '-' ? 'standard input' : source;
  const about = what === undefined ? '' : ` (${what})`;
  try {
    return pemOf(readFileSync(source === '-' ? STDIN : source));
  } catch (error) {
    if (error instanceof NotText) throw usageError(`cannot use ${name}${about}: it is ${error.message}`);
    throw usageError(`cannot read ${name}${about}: ${(error as Error).message}`);
  }
}
