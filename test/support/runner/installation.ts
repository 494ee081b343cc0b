import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { Command, tokensIn } from '../command.ts';
import { type Answer, type CallOptions, call } from '../http.ts';
import { freePort } from '../machine/free-port.ts';
import { writeServerCertificate } from '../machine/server-certificate.ts';
import { createRoot } from '../pki.ts';
import { archiveOf } from './run.ts';

interface Event {
  readonly attributes: { readonly action: string; readonly description: string | null };
}

type Files = Readonly<Record<string, string>>;

/**
 * A server of an operator: a process that can be killed and restarted, with an organization whose runs agents execute.
 */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), 'lockkeeper-agents-'));
  readonly authority = createRoot({ subject: 'Server CA' });
  readonly #config = join(this.folder, 'lockkeeper.yaml');
  readonly #commands: Command[] = [];
  #server: Command | undefined;
  #tokens = { root: '', user: '' };
  #port = 0;
  #environment: Record<string, string> = {};
  #names = 0;
  /** ID of the agent pool. */
  pool = '';
  /** File with the token of the pool. */
  readonly tokenFile = join(this.folder, 'pool-token');
  readonly caFile = join(this.folder, 'ca.pem');

  /**
   * @param execution section of the configuration, in YAML
   * @param environment of the server
   * @param storage section of the configuration
   */
  static async start(
    execution = 'execution: agents',
    environment: Record<string, string> = {},
    storage = '{ type: sqlite, directory: data }',
  ): Promise<Installation> {
    const installation = new Installation();
    installation.#environment = environment;
    await installation.#initialize(execution, storage);
    return installation;
  }

  get address(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** Process ID of the server. */
  get serverPid(): number {
    return this.#server?.process.pid ?? 0;
  }

  /** Token of the owner of the organization, for the workspace API. */
  get userToken(): string {
    return this.#tokens.user;
  }

  async startServer(): Promise<void> {
    this.#server = new Command(['serve', '--config', this.#config], this.#environment);
    await this.#server.ready();
  }

  async endServer(signal: NodeJS.Signals): Promise<void> {
    this.#server?.signal(signal);
    await this.#server?.ended();
    this.#server = undefined;
  }

  /** Sends a request as the owner of the organization, in the workspace API. */
  async user(method: string, path: string, body?: unknown): Promise<Answer> {
    return await this.#ask(method, `/api/v2${path}`, { token: this.#tokens.user, body });
  }

  /** Sends a request as root, in the access API. */
  async root(method: string, path: string, body?: unknown): Promise<Answer> {
    return await this.#ask(method, `/v1/${path}`, { token: this.#tokens.root, body });
  }

  /** Starts `lockkeeper agent` of the pool. */
  agent(args: readonly string[], environment: Record<string, string> = {}, within: readonly string[] = []): Command {
    this.#names += 1;
    const address = args.includes('--address') ? [] : ['--address', this.address];
    const place = [...address, '--ca-cert', this.caFile, '--name', `agent-${this.#names}`];
    const folder = args.includes('--folder') ? [] : ['--folder', join(this.folder, `agent-${this.#names}`)];
    const command = new Command(['agent', ...place, ...folder, ...args], environment, undefined, within);
    this.#commands.push(command);
    return command;
  }

  /** Takes the next job, like an agent that starts another one for it. */
  async claim(): Promise<{ readonly id: string; readonly token: string }> {
    const token = readFileSync(this.tokenFile, 'utf8');
    const body = { data: { type: 'agents', attributes: { name: 'dispatcher' } } };
    const { body: made } = await this.#ask('POST', '/api/v2/agents', { token, body });
    const headers = { 'agent-id': made.data.id };
    const path = `/api/v2/agents/${made.data.id}/actions/claim?wait=30`;
    const { data } = (await this.#ask('POST', path, { token, headers })).body;
    return { id: data.id, token: data.attributes.token };
  }

  /** Creates another pool. @returns a file with its token */
  async newPool(name = `pool-${++this.#names}`, tokenFile = join(this.folder, `${name}-token`)) {
    const id = await this.#made('/organizations/acme/agent-pools', 'agent-pools', { name });
    const token = await this.user('POST', `/agent-pools/${id}/authentication-tokens`, {
      data: { type: 'authentication-tokens', attributes: { description: name } },
    });
    writeFileSync(tokenFile, token.body.data.attributes.token);
    return { id, tokenFile };
  }

  /** Creates a workspace whose runs the agents of the pool execute. */
  async workspace(attributes: object = {}): Promise<string> {
    this.#names += 1;
    const ofAgents = { 'execution-mode': 'agent', 'agent-pool-id': this.pool };
    return await this.#made('/organizations/acme/workspaces', 'workspaces', {
      ...{ name: `ws-${this.#names}`, ...ofAgents },
      ...attributes,
    });
  }

  /** Queues a run with a configuration. */
  async run(workspace: string, files: Files, attributes: object = { 'auto-apply': true }): Promise<string> {
    const answer = await this.user('POST', `/workspaces/${workspace}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } },
    });
    expect(answer.status, answer.text).toBe(201);
    const upload = new URL(answer.body.data.attributes['upload-url']);
    const sent = await this.#ask('PUT', `${upload.pathname}${upload.search}`, {
      body: await archiveOf(files),
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(sent.status, sent.text).toBe(200);
    const body = {
      data: {
        ...{ type: 'runs', attributes },
        relationships: {
          workspace: { data: { type: 'workspaces', id: workspace } },
          'configuration-version': { data: { type: 'configuration-versions', id: answer.body.data.id } },
        },
      },
    };
    const run = await this.user('POST', '/runs', body);
    expect(run.status, run.text).toBe(201);
    return run.body.data.id;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  async runOf(id: string): Promise<any> {
    return (await this.user('GET', `/runs/${id}?include=plan,apply`)).body;
  }

  async statusOf(id: string): Promise<string> {
    return (await this.runOf(id)).data.attributes.status;
  }

  /** Waits until a run has a status. @throws Error when the run ends with another one, or after a minute */
  async until(id: string, ...statuses: readonly string[]): Promise<void> {
    const ends = ['applied', 'planned_and_finished', 'errored', 'canceled', 'force_canceled', 'discarded'];
    for (let waited = 0; waited < 60_000; waited += 100) {
      const status = await this.statusOf(id).catch(() => 'unknown');
      if (statuses.includes(status)) return;
      if (ends.includes(status)) break;
      await sleep(100);
    }
    const logs = (await Promise.all([this.logOf(id, 'plan'), this.logOf(id, 'apply')])).map((log) => log.slice(-2000));
    throw new Error(`the run is ${await this.statusOf(id)}, not ${statuses.join(' or ')}: ${logs.join('\n')}`);
  }

  /** Log without its start and end marks. */
  async logOf(id: string, phase: 'plan' | 'apply'): Promise<string> {
    const { included } = await this.runOf(id);
    const found = included.find(({ type }: { type: string }) => type === (phase === 'plan' ? 'plans' : 'applies'));
    const url = new URL(found.attributes['log-read-url']);
    let log = '';
    for (;;) {
      const limit = 1_000_000;
      const part = await this.#ask('GET', `${url.pathname}?limit=${limit}&offset=${Buffer.byteLength(log)}`, {});
      log += part.text;
      if (Buffer.byteLength(part.text) < limit) break;
    }
    return log.replaceAll('\u0002', '').replaceAll('\u0003', '');
  }

  /** Waits until the log of a run contains a text. @throws Error with the log after a minute */
  async untilLogged(id: string, phase: 'plan' | 'apply', text: string | RegExp): Promise<void> {
    let log = '';
    const isThere = async () => {
      log = await this.logOf(id, phase);
      return typeof text === 'string' ? log.includes(text) : text.test(log);
    };
    await soon(isThere, `${text} in the log of ${id}`).catch(async (cause) => {
      const events = JSON.stringify(await this.eventsOf(id));
      throw new Error(`${text} is not in the log of a run that is ${await this.statusOf(id)}: ${log}${events}`, {
        cause,
      });
    });
  }

  /** Returns the events of a run in order: action and reason, if there is one. */
  async eventsOf(run: string): Promise<readonly (readonly [string, string | null])[]> {
    const { data } = (await this.user('GET', `/runs/${run}/run-events`)).body;
    return data.map(({ attributes: { action, description } }: Event) => [action, description]);
  }

  async isLocked(workspace: string): Promise<boolean> {
    return (await this.user('GET', `/workspaces/${workspace}`)).body.data.attributes.locked;
  }

  /** Returns the number of states of a workspace, including those of an unfinished run. */
  async statesOf(workspace: string): Promise<number> {
    const { name } = (await this.user('GET', `/workspaces/${workspace}`)).body.data.attributes;
    const filter = `filter[organization][name]=acme&filter[workspace][name]=${name}`;
    const { data } = (await this.user('GET', `/state-versions?${filter}`)).body;
    return data.filter(({ attributes }: { attributes: { status: string } }) => attributes.status === 'finalized')
      .length;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  async stateOf(workspace: string): Promise<any> {
    const answer = await this.user('GET', `/workspaces/${workspace}/current-state-version`);
    if (answer.status === 404) return null;
    const url = new URL(answer.body.data.attributes['hosted-state-download-url']);
    return JSON.parse((await this.#ask('GET', `${url.pathname}${url.search}`, { token: this.#tokens.user })).text);
  }

  async stop(): Promise<void> {
    for (const command of this.#commands) command.signal('SIGKILL');
    await Promise.all(this.#commands.map((command) => command.ended()));
    await this.#server?.kill();
    rmSync(this.folder, { recursive: true });
  }

  async #initialize(execution: string, storage: string): Promise<void> {
    this.#port = await freePort();
    writeFileSync(this.caFile, this.authority.pem);
    writeServerCertificate(this.authority, this.folder);
    writeFileSync(this.#config, configFor(this.#port, execution, storage));
    const { stdout } = await new Command(['init', '--config', this.#config, '--username', 'ada']).ended();
    this.#tokens = tokensIn(stdout);
    await this.startServer();
    // Engine for the tests of runs.
    const engine = { 'default-engine': 'terraform' };
    await this.#made('/organizations', 'organizations', { name: 'acme', email: 'ada@example.com', ...engine });
    this.pool = (await this.newPool('rack-7', this.tokenFile)).id;
  }

  async #made(path: string, type: string, attributes: object): Promise<string> {
    const answer = await this.user('POST', path, { data: { type, attributes } });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  }

  #ask(method: string, path: string, options: CallOptions): Promise<Answer> {
    return call({ address: this.address, ca: this.authority.pem }, method, path, options);
  }
}

const configFor = (port: number, execution: string, storage: string): string => `listeners:
  - address: 127.0.0.1:${port}
    services: [access, workspaces]
    tls: { certificate_file: server.pem, private_key_file: server.key }
storage: ${storage}
keyring_file: keyring.json
workspaces: { ${execution} }
limits: { lame_duck: 0s }
`;

/**
 * Waits until the condition is true. Concurrent tests cannot share `expect.poll`. @throws Error after this many
 * seconds
 */
export async function soon(isSo: () => boolean | Promise<boolean>, what: string, seconds = 60): Promise<void> {
  for (const end = performance.now() + seconds * 1000; !(await isSo()); ) {
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await sleep(100);
  }
}
