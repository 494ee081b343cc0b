import { createInterface } from 'node:readline';
import { createInterface as createPromises } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError, usageError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';

/** Asks a question in the terminal, and returns whether the answer is `yes`. */
export async function isConfirmed(question: string): Promise<boolean> {
  const terminal = createPromises({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`${question} Only "yes" is accepted: `)).trim() === 'yes';
  } finally {
    terminal.close();
  }
}

/**
 * Asks before something that cannot be undone. Scripts confirm with `--yes`.
 * @throws CommandError without a terminal and without `--yes`, or for another answer than `yes`
 */
export async function requireConfirmation(question: string, isYes: boolean | undefined): Promise<void> {
  if (isYes === true) return;
  if (!process.stdin.isTTY) throw usageError(`${question} Confirm with --yes`);
  if (!(await isConfirmed(question))) throw new CommandError('nothing was changed', EXIT.failed);
}

/** Reads a secret that the terminal does not show. @throws CommandError if the input is interrupted */
export async function typedSecret(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('line', resolve);
      terminal.once('SIGINT', () => reject(usageError('nothing was entered')));
      terminal.once('close', () => resolve(''));
    });
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
