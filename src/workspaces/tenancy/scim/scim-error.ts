import { AppError, type ErrorKind } from '../../../lib/errors.ts';

/** What is wrong with a request (RFC 7644 §3.12, table 9). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** An error as directories read it. */
export function scimError(type: ScimType, detail: string): AppError {
  const kind: ErrorKind = type === 'uniqueness' ? 'conflict' : 'bad-request';
  return new AppError(kind, detail, { title: type });
}

export const notThere = (): AppError => new AppError('not-found', 'There is no such resource');
