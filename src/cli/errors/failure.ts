import type { AppError, ErrorKind } from '../../lib/errors.ts';
import { CommandError } from './command-error.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

/** The end of a command that failed. */
export interface Failure {
  readonly exitCode: ExitCode;
  /** Message for the user; empty if another process has printed it. */
  readonly text: string;
}

/** Exit codes of errors of the domains, which commands beside the databases report themselves. */
const BY_KIND: Readonly<Record<ErrorKind, ExitCode>> = {
  'bad-request': EXIT.failed,
  unauthenticated: EXIT.refused,
  forbidden: EXIT.refused,
  'not-found': EXIT.notFound,
  'method-not-allowed': EXIT.failed,
  conflict: EXIT.conflict,
  'too-large': EXIT.failed,
  'unsupported-media-type': EXIT.failed,
  unprocessable: EXIT.failed,
  'too-many-requests': EXIT.unavailable,
  unavailable: EXIT.unavailable,
};

/**
 * Returns the exit code and the message of an error of a command; undefined for a bug. Every command ends through this
 * function, so that a code has the same meaning everywhere.
 */
export async function failureOf(error: unknown): Promise<Failure | undefined> {
  if (error instanceof CommandError) return { exitCode: error.exitCode, text: error.message };
  // Loaded on demand: commands that only talk to a server do not need these modules.
  const [{ ConfigError }, { AppError }, { FetchError, reasonOf }, { StorageError }] = await Promise.all([
    import('../../config/index.ts'),
    import('../../lib/errors.ts'),
    import('../../lib/http/fetch-error.ts'),
    import('../../storage/index.ts'),
  ]);
  if (error instanceof ConfigError) return { exitCode: EXIT.usage, text: error.message };
  if (error instanceof StorageError) return { exitCode: EXIT.failed, text: error.message };
  // A download may break while its body is read.
  if (error instanceof FetchError) return { exitCode: EXIT.unavailable, text: reasonOf(error) };
  if (!(error instanceof AppError)) return undefined;
  const text = textOf(error);
  return { exitCode: /\balready been taken\b/.test(text) ? EXIT.conflict : BY_KIND[error.kind], text };
}

/** Includes the cause of an unavailable service, which API clients do not see. */
function textOf({ cause, issues, message }: AppError): string {
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (reason instanceof Error) return `${message} (${reason.message})`;
  return issues.length === 0 ? message : issues.map(({ detail }) => detail).join('; ');
}
