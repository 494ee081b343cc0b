import { GitError } from '../git-remote.ts';
import type { Failure } from './messages.ts';

/** Converts an error to a message for another thread. Other errors than GitError have a text without details. */
export function failureOf(error: unknown): Failure {
  return error instanceof GitError
    ? { kind: error.kind, message: error.message }
    : { kind: 'unreachable', message: 'The request to the Git server failed.' };
}

export const errorOf = ({ kind, message }: Failure): GitError => new GitError(kind, message);
