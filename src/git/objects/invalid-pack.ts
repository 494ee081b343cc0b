import { GitError } from '../git-remote.ts';

export function invalidPack(cause?: unknown): GitError {
  const message = 'The Git server sent a pack that cannot be read.';
  return new GitError('invalid', message, cause === undefined ? undefined : { cause });
}
