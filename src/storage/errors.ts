import { AppError } from '../lib/errors.ts';

/** Something an operator has to put right before we can start; the text says what and how. Never holds a secret. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** What a caller is told when the database cannot do its work now. The reason is in the log. */
export function databaseUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The database is not available. Try again later.', { cause });
}

/** The same of the store of large contents. */
export function blobsUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The store of large contents is not available. Try again later.', { cause });
}
