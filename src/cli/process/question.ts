import { createInterface } from 'node:readline';
import { createInterface as createPromises } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError, usageError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';

/**
 * Asks a question in the terminal, and returns whether the answer is `yes`.
 * @param hint next step if the question is interrupted
 * @throws CommandError at Ctrl-C, and at the end of the input
 */
export async function isConfirmed(question: string, hint?: string): Promise<boolean> {
  const terminal = createPromises({ input: process.stdin, output: process.stderr });
  const interruption = new AbortController();
  terminal.once('close', () => interruption.abort());
  try {
    const answer = await terminal.question(`${question} Only "yes" is accepted: `, { signal: interruption.signal });
    return answer.trim() === 'yes';
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    process.stderr.write('\n');
    throw new CommandError(nothingChanged(hint), EXIT.interrupted);
  } finally {
    terminal.close();
  }
}

/** Returns the message of a question that was not answered with `yes`. */
const nothingChanged = (hint?: string): string =>
  hint === undefined ? 'nothing was changed' : `Nothing was changed. ${hint}`;

/**
 * Asks before something that cannot be undone. Scripts confirm with `--yes`.
 * @throws CommandError without a terminal and without `--yes`, or for another answer than `yes`
 */
export async function requireConfirmation(question: string, isYes: boolean | undefined, hint?: string): Promise<void> {
  if (isYes === true) return;
  if (!process.stdin.isTTY) throw usageError(`${question} Confirm with --yes`);
  if (!(await isConfirmed(question, hint))) throw new CommandError(nothingChanged(hint), EXIT.failed);
}

/** Reads a secret that the terminal does not show. @throws CommandError if the input is interrupted */
export async function typedSecret(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('line', resolve);
      terminal.once('SIGINT', () => reject(new CommandError('nothing was entered', EXIT.interrupted)));
      terminal.once('close', () => resolve(''));
    });
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
