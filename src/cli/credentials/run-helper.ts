import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { printable } from '../output/printable.ts';
import { helper } from './helper-protocol.ts';

/** Runs `terraform-credentials-lockkeeper`. Returns the exit code. */
export async function runHelper(args: readonly string[]): Promise<number> {
  try {
    process.stdout.write(await helper(args));
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`terraform-credentials-lockkeeper: ${printable(error.message)}\n`);
    return error.exitCode;
  }
}
