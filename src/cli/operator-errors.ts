import { ConfigError } from '../config/index.ts';
import { AppError } from '../lib/errors.ts';
import { StorageError } from '../storage/index.ts';

const OPERATOR_ERRORS = [ConfigError, StorageError, AppError];

/** Whether the text of an error is meant for whoever runs the command. */
export function isOperatorError(error: unknown): error is Error {
  return OPERATOR_ERRORS.some((kind) => error instanceof kind);
}
