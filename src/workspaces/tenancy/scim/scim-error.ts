import { AppError, type ErrorKind } from '../../../lib/errors.ts';

/** Error type (RFC 7644 §3.12, table 9). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** Returns an error in the format for directories. */
export function scimError(type: ScimType, detail: string): AppError {
  const kind: ErrorKind = type === 'uniqueness' ? 'conflict' : 'bad-request';
  return new AppError(kind, detail, { title: type });
}

export const notThere = (): AppError => new AppError('not-found', 'There is no such resource');
