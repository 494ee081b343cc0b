import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../client/client.ts';
import { type DemoGitServer, HOST, startDemoGitServer } from './demo-git-server.ts';
import { type DemoRepository, ensureDemoRepository, REPOSITORY } from './demo-repository.ts';
import { expectDone } from './demo-requests.ts';
import { readRecord, writeRecord } from './dev-folder.ts';

/** Path of the repository in URLs. */
const IDENTIFIER = `demo/${REPOSITORY}.git`;

/** Reason why a demo has no repository. */
export interface NoGit {
  readonly reason: string;
}

interface Made {
  readonly id: string;
  readonly relationships: { readonly 'oauth-tokens': { readonly data: readonly { readonly id: string }[] } };
}

/** Creates the repository of a demo unless it exists, and serves it. */
export async function openDemoGit(directory: string): Promise<DemoGit | NoGit> {
  const repository = ensureDemoRepository(directory);
  if (!repository) return { reason: 'git is not on the PATH. Install it and start again.' };
  const record = readRecord(directory);
  try {
    const server = await startDemoGitServer(repository.bare, IDENTIFIER, record.gitPort ?? 0);
    writeRecord(directory, { ...record, gitPort: server.port });
    return new DemoGit(repository, server);
  } catch (error) {
    return { reason: `its Git server cannot start: ${(error as Error).message}. Free the port, or use --fresh.` };
  }
}

/** Repository of a demo, its Git server, and the workspace that follows it. */
export class DemoGit {
  readonly #repository: DemoRepository;
  readonly #server: DemoGitServer;
  #watcher: FSWatcher | undefined;

  constructor(repository: DemoRepository, server: DemoGitServer) {
    this.#repository = repository;
    this.#server = server;
  }

  /** Folder of the working copy. */
  get workingCopy(): string {
    return this.#repository.workingCopy;
  }

  /** Makes a workspace follow the repository unless it exists, and look at it after each push. */
  async follow(asUser: Client, organization: string): Promise<void> {
    const workspaceId = await this.#ensureWorkspace(asUser, `/api/v2/organizations/${organization}`);
    // A push renames a file in this folder. Without the watcher the server finds it within a minute.
    this.#watcher = watch(join(this.#repository.bare, 'refs', 'heads'), () => {
      asUser('POST', `/api/v2/workspaces/${workspaceId}/actions/look-up`).catch(() => {});
    });
    this.#watcher.on('error', () => this.#watcher?.close());
  }

  async #ensureWorkspace(asUser: Client, path: string): Promise<string> {
    const there = await asUser('GET', `${path}/workspaces/${REPOSITORY}`);
    if (there.status === 200) return (there.body as { readonly data: Made }).data.id;
    const make = async (at: string, type: string, attributes: object): Promise<Made> => {
      const { data } = await expectDone<Made>(asUser('POST', at, { data: { type, attributes } }));
      return data as Made;
    };
    const url = `http://${HOST}:${this.#server.port}`;
    const connection = await make(`${path}/oauth-clients`, 'oauth-clients', {
      ...{ name: 'Git of this demo', 'service-provider': 'git', 'http-url': url, 'api-url': url },
    });
    // The server also checks new connections in the background. After this check the first run starts at once.
    await expectDone(asUser('POST', `/api/v2/oauth-clients/${connection.id}/actions/check`));
    const workspace = await make(`${path}/workspaces`, 'workspaces', {
      name: REPOSITORY,
      description: 'Follows the repository of this demo: a push starts a run',
      'execution-mode': 'remote',
      'auto-apply': true,
      'queue-all-runs': true,
      'vcs-repo': {
        identifier: IDENTIFIER,
        'oauth-token-id': connection.relationships['oauth-tokens'].data[0]?.id,
      },
    });
    return workspace.id;
  }

  async stop(): Promise<void> {
    this.#watcher?.close();
    await this.#server.stop();
  }
}
