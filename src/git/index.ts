import type { GitRemote, GitTransport } from './git-remote.ts';
import { type RemoteOptions, ThreadedRemote } from './thread/threaded-remote.ts';

export type {
  ArchiveOptions,
  Commit,
  CommitArchive,
  GitErrorKind,
  GitRemote,
  GitTransport,
  Ref,
} from './git-remote.ts';
export { GitError } from './git-remote.ts';
export { GitThreads } from './thread/git-threads.ts';
export type { RemoteOptions };

/** Opens a repository at a Git server. Nothing is sent before the first operation. */
export function openRemote(transport: GitTransport, options: Omit<RemoteOptions, 'transport'>): GitRemote {
  return new ThreadedRemote({ ...options, transport });
}
