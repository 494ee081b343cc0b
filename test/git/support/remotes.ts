import { GitError, GitThreads, type GitTransport, openRemote, type RemoteOptions } from '../../../src/git/index.ts';
import { createTenantFetch } from '../../../src/outbound/tenant-fetch.ts';
import { type GitServer, startGitServer, type TestRepository } from '../../support/git-server.ts';

const fetchGit = createTenantFetch(['127.0.0.1']);

/** Returns a transport as the server has it, for a Git server on loopback. */
export function transportTo(url: string): GitTransport {
  return async (path, body) => {
    const headers = {
      'git-protocol': 'version=2',
      ...(body && { 'content-type': 'application/x-git-upload-pack-request' }),
    };
    const limits = { timeoutMs: 60_000, maxBytes: 1_000_000_000 };
    const response = await fetchGit(`${url}/${path}`, {
      ...{ ...limits, headers },
      ...(body && { method: 'POST', body }),
    });
    if (response.status === 200) return response.body;
    response.discard();
    throw new GitError('unreachable', `status ${response.status}`);
  };
}

/** A Git server and threads that read its repositories. */
export interface Remotes {
  readonly server: GitServer;
  readonly threads: GitThreads;
  /** Errors of threads. */
  readonly reported: unknown[];
  open(repository: Pick<TestRepository, 'url'>, options?: Partial<RemoteOptions>): ReturnType<typeof openRemote>;
  stop(): Promise<void>;
}

export async function startRemotes(limits?: ConstructorParameters<typeof GitThreads>[1]): Promise<Remotes> {
  const server = await startGitServer();
  const reported: unknown[] = [];
  const threads = new GitThreads((error) => reported.push(error), limits);
  return {
    ...{ server, threads, reported },
    open: ({ url }, options = {}) =>
      openRemote(transportTo(url), { url, threads, owner: 'org-1', openTransport: transportTo, ...options }),
    stop: async () => {
      threads.stop();
      await server.stop();
    },
  };
}
