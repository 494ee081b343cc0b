import { setTimeout as sleep } from 'node:timers/promises';
import { archiveOf } from '../../test/support/runner/run.ts';
import type { Lockkeeper } from './servers.ts';

const JSON_API = 'application/vnd.api+json';
/** Pause of a reader at the end of a log, ms. Command lines wait longer. */
const PAUSE = 100;

/** Workspace with runs on agents, and a client that queues and reads runs. Uses plain HTTP. */
export class RunBench {
  readonly #base: string;
  readonly #token: string;
  readonly #show: string;
  #poolToken = '';
  #workspace = '';
  #configuration = '';

  private constructor({ plain, show }: Lockkeeper) {
    this.#base = `http://127.0.0.1:${plain.port}`;
    this.#token = show.token;
    this.#show = show.path;
  }

  static async start(lockkeeper: Lockkeeper): Promise<RunBench> {
    const bench = new RunBench(lockkeeper);
    await bench.#setUp();
    return bench;
  }

  /** Registers an agent. */
  async agent(): Promise<BenchAgent> {
    const { data } = await this.ask('POST', '/api/v2/agents', this.#poolToken, document('agents', { name: 'bench' }));
    return new BenchAgent(this, data.id, this.#poolToken);
  }

  /** Queues a run. @returns the URL of its log */
  async run(): Promise<string> {
    const relationships = {
      workspace: { data: { type: 'workspaces', id: this.#workspace } },
      'configuration-version': { data: { type: 'configuration-versions', id: this.#configuration } },
    };
    const body = { data: { type: 'runs', attributes: { 'plan-only': true }, relationships } };
    const { data } = await this.ask('POST', '/api/v2/runs', this.#token, body);
    const { data: plan } = await this.ask('GET', `/api/v2/plans/${data.relationships.plan.data.id}`, this.#token);
    return this.pathOf(plan.attributes['log-read-url']);
  }

  /** Reads a log like a command line: repeatedly from the current offset. */
  async readUntil(path: string, bytes: number): Promise<void> {
    for (let offset = 0; offset < bytes; ) {
      const { text } = await this.send('GET', `${path}?limit=65536&offset=${offset}`, '');
      offset += Buffer.byteLength(text);
      if (text === '') await sleep(PAUSE);
    }
  }

  async show(): Promise<void> {
    await this.send('GET', this.#show, this.#token);
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever comes back
  async ask(method: string, path: string, token: string, body?: object, headers = {}): Promise<any> {
    const { text } = await this.send(method, path, token, body && JSON.stringify(body), headers);
    return text === '' ? undefined : JSON.parse(text);
  }

  async send(
    method: string,
    path: string,
    token: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers = {},
    signal?: AbortSignal,
  ) {
    const answer = await fetch(`${this.#base}${path}`, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': JSON_API }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return { status: answer.status, text };
  }

  pathOf(address: string): string {
    const { pathname, search } = new URL(address, this.#base);
    return `${pathname}${search}`;
  }

  async #setUp(): Promise<void> {
    const make = async (path: string, type: string, attributes: object) =>
      (await this.ask('POST', `/api/v2/${path}`, this.#token, document(type, attributes))).data;
    const pool = await make('organizations/bench/agent-pools', 'agent-pools', { name: 'bench' });
    const tokens = `agent-pools/${pool.id}/authentication-tokens`;
    this.#poolToken = (await make(tokens, 'authentication-tokens', { description: 'bench' })).attributes.token;
    const carried = { name: 'runs', 'execution-mode': 'agent', 'agent-pool-id': pool.id };
    this.#workspace = (await make('organizations/bench/workspaces', 'workspaces', carried)).id;
    const version = await make(`workspaces/${this.#workspace}/configuration-versions`, 'configuration-versions', {
      'auto-queue-runs': false,
    });
    this.#configuration = version.id;
    const archive = new Uint8Array(await archiveOf({ 'main.tf': '' }));
    const bytes = { 'content-type': 'application/octet-stream' };
    await this.send('PUT', this.pathOf(version.attributes['upload-url']), '', archive, bytes);
  }
}

/** An agent that requests jobs. */
class BenchAgent {
  readonly #bench: RunBench;
  readonly #id: string;
  readonly #token: string;

  constructor(bench: RunBench, id: string, token: string) {
    this.#bench = bench;
    this.#id = id;
    this.#token = token;
  }

  /** Requests the next job. @param wait seconds */
  async claim(wait: number): Promise<BenchJob> {
    const path = `/api/v2/agents/${this.#id}/actions/claim?wait=${wait}`;
    const { data } = await this.#bench.ask('POST', path, this.#token, undefined, { 'agent-id': this.#id });
    return new BenchJob(this.#bench, data.attributes.token, data.links);
  }

  /** Polls like an idle agent. */
  async waitAgainAndAgain(signal: AbortSignal): Promise<void> {
    const path = `/api/v2/agents/${this.#id}/actions/claim?wait=30`;
    while (!signal.aborted)
      await this.#bench.send('POST', path, this.#token, undefined, { 'agent-id': this.#id }, signal).catch((error) => {
        if (!signal.aborted) throw error;
      });
  }

  async leave(): Promise<void> {
    const body = document('agents', { status: 'exited' });
    await this.#bench.ask('PATCH', `/api/v2/agents/${this.#id}`, this.#token, body, { 'agent-id': this.#id });
  }
}

/** Executes the job. */
class BenchJob {
  readonly #bench: RunBench;
  readonly #token: string;
  readonly #links: Readonly<Record<string, string>>;

  constructor(bench: RunBench, token: string, links: Readonly<Record<string, string>>) {
    this.#bench = bench;
    this.#token = token;
    this.#links = links;
  }

  async start(): Promise<void> {
    await this.#bench.send('POST', this.#links.start ?? '', this.#token);
  }

  async log(offset: number, text: string): Promise<void> {
    const bytes = { 'content-type': 'application/octet-stream' };
    await this.#bench.send('PATCH', `${this.#links.log}?offset=${offset}`, this.#token, text, bytes);
  }

  async put(what: string, text: string): Promise<void> {
    await this.#bench.send('PUT', this.#links[what] ?? '', this.#token, text);
  }

  async finish(): Promise<void> {
    const body = document('jobs', { outcome: 'finished', exit: 0, 'has-changes': false });
    await this.#bench.ask('POST', this.#links.finish ?? '', this.#token, body);
  }
}

const document = (type: string, attributes: object) => ({ data: { type, attributes } });
