import { readFileSync } from 'node:fs';
import { NotText, pemOf } from '../../lib/pem/pem-of.ts';
import { usageError } from '../errors/command-error.ts';

const STDIN = 0;

/**
 * Reads a file, or standard input for `-`, as text: certificates, CRLs and keys in DER and PKCS#7 become PEM.
 * @throws CommandError that names the file and says what it is, where it is nothing that can be sent
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
