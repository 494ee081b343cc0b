import { EXIT, type ExitCode } from './exit-codes.ts';

/** Error with a message for the user instead of a stack trace: the problem and the next step. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Invalid command line, setting or file. */
export function usageError(message: string): CommandError {
  return new CommandError(message, EXIT.usage);
}

/** Another process has printed the error, so this one prints nothing. */
export function silentFailure(exitCode: number): CommandError {
  return new CommandError('', exitCode as ExitCode);
}
