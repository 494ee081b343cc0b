import { AppError } from '../lib/errors.ts';

/**
 * A problem that the operator has to fix before the server can start; the message says how. Never contains a secret.
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** Returns the error for callers while the database is unavailable. The reason is only in the log. */
export function databaseUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The database is not available. Try again later.', { cause });
}

/** Returns the error for callers while the blob store is unavailable. */
export function blobsUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The blob store is not available. Try again later.', {
    cause,
  });
}
