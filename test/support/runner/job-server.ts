import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { archiveOf } from './run.ts';

/** A job in the queue. */
export interface QueuedJob {
  readonly phase?: 'plan' | 'apply';
  readonly runId?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly state?: Buffer;
  /** Folder of its plan. */
  readonly folder?: Buffer | undefined;
  readonly attributes?: object;
}

/** State of a job on the server, after an agent got it. */
export interface JobRecord {
  readonly id: string;
  readonly token: string;
  readonly runId: string;
  readonly queued: QueuedJob;
  log: Buffer;
  isStarted: boolean;
  /** Agent that has the job. */
  takenBy: string | null;
  cancel: 'none' | 'interrupt' | 'kill';
  interval: number;
  /** Whether the token of the job is invalid. */
  isRevoked: boolean;
  beats: number;
  finished: Record<string, unknown> | null;
  readonly handed: Map<string, Buffer>;
  readonly states: { readonly attributes: Record<string, unknown>; bytes: Buffer | null }[];
}

interface Request {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly method: string;
  readonly token: string;
  readonly agentId: string;
  readonly traceparent: string | undefined;
  readonly body: Buffer;
}
interface Response {
  readonly status: number;
  readonly json?: unknown;
  readonly bytes?: Buffer;
  /** Announced length of the body, if it is another one. */
  readonly length?: number;
}

const LIMITS = { log: 262_144 };
const error = (status: number, detail: string): Response => ({ status, json: { errors: [{ detail }] } });
const UNKNOWN = error(401, 'not authenticated');

/**
 * Server side of the agent protocol, on loopback: it hands out queued jobs and records the reports. It can stop, and
 * start again on its port.
 */
export class JobServer {
  /** Token of the agents. */
  token = 'lka.one';
  /** Response that replaces the usual one; undefined: the usual one. */
  intercept: (request: Request) => Response | undefined = () => undefined;
  readonly agents = new Map<
    string,
    { readonly name: string; readonly engines: unknown; status: string; readonly said: string[] }
  >();
  readonly jobs: JobRecord[] = [];
  /** Requests in the form `POST /api/v2/agents`. */
  readonly asked: string[] = [];
  readonly #waiting = new Set<() => void>();
  #server: Server | undefined;
  #port = 0;

  static async start(): Promise<JobServer> {
    const server = new JobServer();
    await server.comeBack();
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Stops the listener. */
  async goAway(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const wake of this.#waiting) wake();
    server?.close();
    server?.closeAllConnections();
    if (server) await once(server, 'close');
  }

  async comeBack(): Promise<void> {
    this.#server = createServer(
      (request, response) => void this.#serve(request, response).catch(() => response.destroy()),
    );
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  queue(queued: QueuedJob): JobRecord {
    const { phase = 'plan', runId = `run-${randomUUID().slice(0, 16)}` } = queued;
    const job: JobRecord = {
      id: `${phase}-${randomUUID().slice(0, 16)}`,
      token: `lkj.${randomUUID()}`,
      runId,
      queued,
      log: Buffer.alloc(0),
      isStarted: false,
      takenBy: null,
      cancel: 'none',
      interval: 0.1,
      isRevoked: false,
      beats: 0,
      finished: null,
      handed: new Map(),
      states: [],
    };
    this.jobs.push(job);
    for (const wake of this.#waiting) wake();
    return job;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.address);
    const told: Request = {
      path: url.pathname,
      query: url.searchParams,
      method: request.method ?? '',
      token: (request.headers.authorization ?? '').replace('Bearer ', ''),
      agentId: String(request.headers['agent-id'] ?? ''),
      traceparent: [request.headers.traceparent].flat()[0],
      body: await buffer(request),
    };
    this.asked.push(`${told.method} ${told.path}`);
    const { status, json, bytes, length } = this.intercept(told) ?? (await this.#answer(told));
    const body = bytes ?? (json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(json)));
    response.writeHead(status, { 'content-length': length ?? body.length });
    response.end(body);
  }

  async #answer(request: Request): Promise<Response> {
    const [, , , kind, id = '', what = '', action = ''] = request.path.split('/');
    if (kind === 'agents') return await this.#answerAgent(request, id, action);
    if (kind === 'upload') return this.#answerUpload(request, id, what);
    const job = this.jobs.find((one) => one.id === id);
    if (job === undefined || job.token !== request.token || job.isRevoked) return UNKNOWN;
    return await this.#answerJob(request, job, what);
  }

  async #answerAgent({ method, token, agentId, body, query }: Request, id: string, action: string): Promise<Response> {
    if (token !== this.token) return UNKNOWN;
    const { data } = body.length > 0 ? JSON.parse(body.toString()) : { data: undefined };
    if (id === '') {
      const made = `agent-${randomUUID().slice(0, 16)}`;
      this.agents.set(made, { ...data.attributes, status: 'idle', said: [] });
      return { status: 201, json: { data: { id: made, type: 'agents' } } };
    }
    const agent = this.agents.get(id);
    if (agent === undefined || agentId !== id) return error(404, 'no such agent');
    if (method === 'PATCH') {
      agent.status = data.attributes.status;
      agent.said.push(agent.status);
      return { status: 200, json: { data: { id, type: 'agents' } } };
    }
    if (action !== 'claim') return error(404, 'not found');
    const job = await this.#next(id, Number(query.get('wait') ?? 0) * 1000);
    return job === undefined ? { status: 204 } : { status: 200, json: documentOf(job) };
  }

  /** Looks for a free job, and waits for one until the time is over. */
  async #next(agent: string, wait: number): Promise<JobRecord | undefined> {
    const isFree = ({ takenBy }: JobRecord): boolean => takenBy === agent || takenBy === null;
    const find = () => this.jobs.find((job) => isFree(job) && job.finished === null);
    const until = performance.now() + wait;
    while (find() === undefined && performance.now() < until && this.#server !== undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      const timer = setTimeout(resolve, until - performance.now());
      await promise;
      clearTimeout(timer);
      this.#waiting.delete(resolve);
    }
    const found = find();
    if (found !== undefined) found.takenBy = agent;
    return found;
  }

  async #answerJob({ method, query, body }: Request, job: JobRecord, what: string): Promise<Response> {
    const asksForBytes = method === 'GET' && what !== '';
    if (asksForBytes) return await bytesOf(job, what);
    switch (what) {
      case '':
        return { status: 200, json: documentOf(job) };
      case 'start':
        job.isStarted = true;
        return { status: 204 };
      case 'heartbeat':
        job.beats += 1;
        return { status: 200, json: wantedOf(job) };
      case 'log':
        return append(job, Number(query.get('offset')), body);
      case 'finish':
        job.finished ??= JSON.parse(body.toString()).data.attributes;
        return { status: 204 };
      case 'state-versions':
        return this.#newState(job, JSON.parse(body.toString()).data);
      default:
        job.handed.set(what, body);
        return { status: 204 };
    }
  }

  #newState(
    job: JobRecord,
    {
      attributes,
      relationships,
    }: { attributes: Record<string, unknown>; relationships: { run: { data: { id: string } } } },
  ): Response {
    if (relationships.run.data.id !== job.runId) return error(422, 'another run');
    const index = job.states.push({ attributes, bytes: null }) - 1;
    const url = `${this.address}/api/v2/upload/${job.id}/${index}`;
    return { status: 201, json: { data: { id: `sv-${index}`, attributes: { 'hosted-state-upload-url': url } } } };
  }

  /** Signed URL: it needs no token, and the agent must not send one. */
  #answerUpload({ token, body }: Request, id: string, index: string): Response {
    const state = this.jobs.find((job) => job.id === id)?.states[Number(index)];
    if (state === undefined || token !== '') return UNKNOWN;
    state.bytes = body;
    return { status: 200 };
  }
}

function append(job: JobRecord, offset: number, bytes: Buffer): Response {
  if (bytes.length > LIMITS.log) return error(413, 'the piece is too long');
  if (offset > job.log.length) return error(409, 'a gap');
  job.log = Buffer.concat([job.log, bytes.subarray(job.log.length - offset)]);
  return { status: 200, json: wantedOf(job) };
}

const wantedOf = ({ id, log, cancel, interval }: JobRecord): object => ({
  data: { type: 'jobs', id, attributes: { 'log-bytes': log.length, cancel, interval } },
});

async function bytesOf({ queued }: JobRecord, what: string): Promise<Response> {
  if (what === 'configuration') return { status: 200, bytes: await archiveOf(queued.files ?? {}) };
  const bytes = what === 'state' ? queued.state : what === 'folder' ? queued.folder : undefined;
  return bytes === undefined ? error(404, 'not found') : { status: 200, bytes };
}

function documentOf({ id, token, runId, queued }: JobRecord): object {
  const { phase = 'plan', state, attributes } = queued;
  const place = (name: string): string => `/api/v2/jobs/${id}/${name}`;
  const ofPhase =
    phase === 'plan'
      ? ['configuration', 'json-output', 'json-output-redacted', 'provider-schemas', 'folder']
      : ['folder', 'errored-state'];
  const names = ['start', 'heartbeat', 'finish', 'log', 'state-versions', ...ofPhase];
  return {
    data: {
      type: 'jobs',
      id,
      attributes: {
        ...{ token, phase, 'run-id': runId, organization: 'acme', project: 'Default Project' },
        workspace: { id: 'ws-1', name: 'network', 'working-directory': '' },
        ...{ commit: null, engine: { kind: 'opentofu', version: null }, log: 'plain' },
        parameters: {
          ...{ destroy: false, refresh: true, 'refresh-only': false, targets: [], replaces: [] },
          ...{ 'generate-configuration': false, debugging: false },
        },
        ...{ variables: [], 'ssh-key': null, 'keep-folder': phase === 'plan', timeout: 600, 'run-token': null },
        ...attributes,
      },
      links: {
        self: `/api/v2/jobs/${id}`,
        state: state === undefined ? null : place('state'),
        ...Object.fromEntries(names.map((name) => [name, place(name)])),
      },
    },
  };
}
