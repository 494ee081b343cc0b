import { ConfigError } from '../config/index.ts';
import { AppError } from '../lib/errors.ts';
import { StorageError } from '../storage/index.ts';

const OPERATOR_ERRORS = [ConfigError, StorageError, AppError];

/** Whether the text of an error is meant for whoever runs the command. */
export function isOperatorError(error: unknown): error is Error {
  return OPERATOR_ERRORS.some((kind) => error instanceof kind);
}

/** The text, and of what is not available the reason, which callers of the API are not told. */
export function operatorText(error: Error): string {
  const cause = error instanceof AppError ? error.cause : undefined;
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause;
  return reason instanceof Error ? `${error.message} (${reason.message})` : error.message;
}
