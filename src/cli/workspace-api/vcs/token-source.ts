import { secretText } from '../../../lib/secret/secret-text.ts';
import { readSource } from '../../connection/pem-source.ts';
import { usageError } from '../../errors/command-error.ts';
import { typedSecret } from '../../process/question.ts';

const WHAT = 'the token of the provider';

/** Reads a token from a file, from standard input for `-`, or from the terminal without showing it. @throws CommandError */
export async function readToken(file: string | undefined): Promise<string> {
  const token = secretText(file === undefined ? await typed() : readSource(file, WHAT));
  if (token === '') throw usageError('The token is empty. Create one at the provider, and try again');
  return token;
}

async function typed(): Promise<string> {
  if (process.stdin.isTTY) return typedSecret('Token of the provider (not shown): ');
  throw usageError('The token is missing. Set --token-file to a file, or to - for standard input');
}
