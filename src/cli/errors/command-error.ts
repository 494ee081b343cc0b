import { EXIT, type ExitCode } from './exit-codes.ts';

/** A text for the operator instead of a stack trace: what is wrong, and what to do about it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command line, a setting or a file is wrong. */
export function usageError(message: string): CommandError {
  return new CommandError(message, EXIT.usage);
}

/** Another process has said what is wrong: nothing is printed here. */
export function silentFailure(exitCode: number): CommandError {
  return new CommandError('', exitCode as ExitCode);
}
