import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { call } from '../../../support/http.ts';
import { type Execution, ownExecution } from '../../support/execution.ts';
import { type Serving, startServing } from '../../support/serving.ts';
import { type Gitea, startGitea } from '../server.ts';
import { type Front, startFront } from './front.ts';

/** Options of polls. Gitea reads a push only some seconds later on a busy machine. */
export const PATIENCE = { timeout: 60_000, interval: 50 };
/** Time in which two servers start on a busy machine, milliseconds. */
export const START_MS = 180_000;

/** A run, as far as the tests look at it. */
export interface SeenRun {
  readonly id: string;
  readonly message: string;
  readonly status: string;
  readonly isSpeculative: boolean;
  readonly configurationId: string;
}

/** A repository at Gitea, with a folder from which the tests push. */
export class WorkingCopy {
  readonly #gitea: Gitea;
  readonly folder: string;
  /** `acme/infra`; the tests change it when they rename the repository. */
  fullName: string;

  constructor(gitea: Gitea, fullName: string, folder: string) {
    this.#gitea = gitea;
    this.fullName = fullName;
    this.folder = folder;
    mkdirSync(folder);
  }

  git(...args: readonly string[]): Promise<string> {
    return this.#gitea.git(this.folder, ...args);
  }

  /** Commits files to the current branch. Returns the commit's id. */
  async commit(files: Readonly<Record<string, string>>, message: string): Promise<string> {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), content);
    }
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--message', message);
    return this.git('rev-parse', 'HEAD');
  }

  async push(...refs: readonly string[]): Promise<void> {
    await this.git('push', '--quiet', this.#gitea.cloneUrl(this.fullName), ...refs);
  }

  /** Opens a pull request. Gitea reads new branches a while after their push. */
  async openPull(head: string, base = 'main'): Promise<number> {
    let number = 0;
    const open = async () => {
      const pull = { head, base, title: `Change of ${head}`, body: '' };
      const made = this.#gitea.api('POST', `/repos/${this.fullName}/pulls`, pull);
      number = await made.then(
        (created) => created.number,
        () => 0,
      );
      return number;
    };
    await expect.poll(open, PATIENCE).toBeGreaterThan(0);
    return number;
  }
}

/** Attributes of a workspace whose runs the server executes. */
export const EXECUTED = { 'execution-mode': 'remote', 'agent-pool-id': null };

/** A server that executes runs with OpenTofu, a Gitea, and the proxy through which Gitea delivers. */
export class Site {
  readonly gitea: Gitea;
  readonly front: Front;
  readonly #serving: Serving;
  readonly #execution: Execution;
  readonly #ca: string;
  /** Agent pool without agents: its runs stay in the queue. */
  #idlePool = '';
  readonly #clientIds: string[] = [];
  #names = 0;

  private constructor(gitea: Gitea, front: Front, serving: Serving, execution: Execution) {
    this.gitea = gitea;
    this.front = front;
    this.#serving = serving;
    this.#execution = execution;
    this.#ca = readFileSync(serving.caFile, 'utf8');
    front.target = { address: serving.address, ca: this.#ca };
  }

  static async start(): Promise<Site> {
    const front = await startFront();
    const execution = await ownExecution(2);
    const workspaces = execution.settings.replace('{', `{"address":"${front.address}",`);
    const settings = `${workspaces}vcs: { allowed_addresses: [127.0.0.1] }\n`;
    const [gitea, serving] = await Promise.all([startGitea(front.caFile), startServing(undefined, settings)]);
    const site = new Site(gitea, front, serving, execution);
    await gitea.api('POST', '/orgs', { username: 'acme' });
    await site.create('/organizations', 'organizations', { name: 'acme', email: 'ada@example.com' });
    await site.ask('PATCH', '/organizations/acme', {
      data: { type: 'organizations', attributes: { 'pull-request-comments': true } },
    });
    site.#idlePool = (await site.create('/organizations/acme/agent-pools', 'agent-pools', { name: 'idle' })).id;
    return site;
  }

  async stop(): Promise<void> {
    await this.#serving.stop();
    await this.gitea.stop();
    await this.front.stop();
    this.#execution.remove();
  }

  /** Sends a request of the first user. Throws if the status is 400 or above. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  async ask(method: string, path: string, body?: object): Promise<any> {
    const server = { address: this.#serving.address, ca: this.#ca };
    const answer = await call(server, method, `/api/v2${path}`, { token: this.#serving.userToken, body });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body?.data;
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  create(path: string, type: string, attributes: object): Promise<any> {
    return this.ask('POST', path, { data: { type, attributes } });
  }

  /** Connects an account of Gitea. Returns the ids of the connection and of its token. */
  async connect(token: string): Promise<{ readonly clientId: string; readonly tokenId: string }> {
    const client = await this.create('/organizations/acme/oauth-clients', 'oauth-clients', {
      ...{ 'service-provider': 'gitea', 'http-url': this.gitea.address, 'api-url': this.gitea.apiUrl },
      'oauth-token-string': token,
    });
    this.#clientIds.push(client.id);
    // Also before the tests, where `expect.poll` does not work.
    await vi.waitFor(async () => {
      const { attributes } = await this.ask('GET', `/oauth-clients/${client.id}`);
      expect(attributes['connection-status']).toBe('ok');
    }, PATIENCE);
    return { clientId: client.id, tokenId: client.relationships['oauth-tokens'].data[0].id };
  }

  /** Creates a repository with a commit `first` on `main`. */
  async repository(name: string): Promise<WorkingCopy> {
    await this.gitea.api('POST', '/orgs/acme/repos', { name, default_branch: 'main', private: true });
    const copy = new WorkingCopy(this.gitea, `acme/${name}`, join(this.gitea.folder, `${name}-${++this.#names}`));
    await copy.git('init', '--quiet', '--initial-branch=main');
    await copy.commit({ 'main.tf': '# 1\n', 'net/main.tf': '# 1\n', 'app/main.tf': '# 1\n' }, 'first');
    await copy.push('main');
    // Gitea delivers a push to hooks that exist when it reads the push, which can be seconds later.
    const isRead = async () => !(await this.gitea.api('GET', `/repos/acme/${name}`)).empty;
    await vi.waitUntil(isRead, PATIENCE);
    return copy;
  }

  /** Creates a workspace that follows a repository. Its runs stay in the queue, unless the attributes say otherwise. */
  async follow(copy: WorkingCopy, tokenId: string, attributes: object = {}, repo: object = {}): Promise<string> {
    const { id } = await this.create('/organizations/acme/workspaces', 'workspaces', {
      ...{ name: `w-${++this.#names}`, 'queue-all-runs': true, 'terraform-version': 'latest' },
      ...{ 'execution-mode': 'agent', 'agent-pool-id': this.#idlePool },
      'vcs-repo': { identifier: copy.fullName, 'oauth-token-id': tokenId, branch: 'main', ...repo },
      ...attributes,
    });
    return id;
  }

  /**
   * Waits until the server has a webhook at Gitea for this repository, and has ended the look-up that made it: a
   * look-up that is still running could find the next push before its delivery, and not know the sender.
   */
  async hooked(copy: WorkingCopy): Promise<void> {
    const hooks = async () => (await this.gitea.api('GET', `/repos/${copy.fullName}/hooks`)).length;
    await expect.poll(hooks, PATIENCE).toBe(1);
    const states = async () => {
      const known = await Promise.all(this.#clientIds.map((id) => this.known(id, copy)));
      return known.map((repository) => repository?.['webhook-state']);
    };
    await expect.poll(states, PATIENCE).toContain('made');
  }

  /** Returns the runs of a workspace, oldest first. */
  async runs(workspaceId: string): Promise<SeenRun[]> {
    const runs = await this.ask('GET', `/workspaces/${workspaceId}/runs`);
    // biome-ignore lint/suspicious/noExplicitAny: documents of runs
    return runs.toReversed().map(({ id, attributes, relationships }: any) => ({
      ...{ id, message: attributes.message, status: attributes.status, isSpeculative: attributes['plan-only'] },
      configurationId: relationships['configuration-version'].data.id,
    }));
  }

  /** Waits until a workspace has runs with these messages, and no others. */
  async started(workspaceId: string, messages: readonly string[]): Promise<void> {
    const found = async () => (await this.runs(workspaceId)).map(({ message }) => message);
    await expect.poll(found, PATIENCE).toEqual(messages);
  }

  /** Returns the verdicts about a workspace, newest first: the branch, tag or pull request, and the code. */
  async verdicts(workspaceId: string): Promise<string[]> {
    const events = await this.ask('GET', `/workspaces/${workspaceId}/vcs-events`);
    // biome-ignore lint/suspicious/noExplicitAny: documents of events
    return events.map(({ attributes }: any) => `${attributes.ref}: ${attributes.verdict.code}`);
  }

  /** Returns what the server knows of a repository. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  async known(clientId: string, { fullName }: WorkingCopy): Promise<any> {
    const repositories = await this.ask('GET', `/oauth-clients/${clientId}/vcs-repositories`);
    // biome-ignore lint/suspicious/noExplicitAny: documents of repositories
    return repositories.find(({ attributes }: any) => attributes.identifier === fullName)?.attributes;
  }
}
