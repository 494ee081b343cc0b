import { ConfigError } from '../config/index.ts';
import { AppError } from '../lib/errors.ts';
import { StorageError } from '../storage/index.ts';

const OPERATOR_ERRORS = [ConfigError, StorageError, AppError];

/** Returns whether the message of an error is meant for the user of the command. */
export function isOperatorError(error: unknown): error is Error {
  return OPERATOR_ERRORS.some((kind) => error instanceof kind);
}

/** Returns the message. For unavailable services it includes the cause, which API clients do not see. */
export function operatorText(error: Error): string {
  const cause = error instanceof AppError ? error.cause : undefined;
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause;
  return reason instanceof Error ? `${error.message} (${reason.message})` : error.message;
}
