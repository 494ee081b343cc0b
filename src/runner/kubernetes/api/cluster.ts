import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Job, JobList } from 'kubernetes-types/batch/v1.d.ts';
import type { EventList, PodList, Secret } from 'kubernetes-types/core/v1.d.ts';
import { JobFailure } from '../../ports.ts';
import type { ClusterAccess } from './access.ts';
import { ClusterAway, refusalOf } from './failures.ts';

/** @limit response time of a cluster's API server, ms -> the request is tried again */
const LONGEST_SILENCE = 30_000;
/** @limit response of a cluster's API server, bytes -> the request fails */
const MAX_ANSWER = 67_108_864;
/** @limit Jobs, or pods, of one agent that it lists, objects -> it ignores the rest */
const MAX_LISTED = 500;
/** @limit idle connections to a cluster, connections -> further ones are closed */
const MAX_IDLE = 2;

/** Client for the cluster's API server, in one namespace. All requests throw ClusterRefusal or ClusterAway. */
export class Cluster {
  readonly #access: ClusterAccess;
  readonly #namespace: string;
  readonly #agent: PlainAgent | TlsAgent;
  readonly #base: URL;

  /**
   * Creates a client without connecting.
   * @throws JobFailure for an invalid URL, or one that would send tokens unencrypted
   */
  constructor(access: ClusterAccess, namespace: string) {
    this.#access = access;
    this.#namespace = namespace;
    this.#base = baseOf(access.address);
    const kept = { keepAlive: true, maxFreeSockets: MAX_IDLE };
    this.#agent = this.#isSecure ? new TlsAgent({ ...kept, ...trustOf(access) }) : new PlainAgent(kept);
  }

  async createJob(job: Job): Promise<Job> {
    return (await this.#ask('POST', this.#path('/apis/batch/v1', 'jobs'), job)) as Job;
  }

  async job(name: string): Promise<Job> {
    return (await this.#ask('GET', `${this.#path('/apis/batch/v1', 'jobs')}/${name}`)) as Job;
  }

  async createSecret(secret: Secret): Promise<void> {
    await this.#ask('POST', this.#path('/api/v1', 'secrets'), secret);
  }

  async jobs(labels: string): Promise<JobList> {
    return (await this.#ask('GET', `${this.#path('/apis/batch/v1', 'jobs')}?${selecting(labels)}`)) as JobList;
  }

  async pods(labels: string): Promise<PodList> {
    return (await this.#ask('GET', `${this.#path('/api/v1', 'pods')}?${selecting(labels)}`)) as PodList;
  }

  /** Lists the events of an object by its uid. */
  async events(uid: string): Promise<EventList> {
    const query = new URLSearchParams({ fieldSelector: `involvedObject.uid=${uid}`, limit: `${MAX_LISTED}` });
    return (await this.#ask('GET', `${this.#path('/api/v1', 'events')}?${query}`)) as EventList;
  }

  /** Deletes a Job after its pods have ended within their grace period. */
  async deleteJob(name: string): Promise<void> {
    await this.#ask('DELETE', `${this.#path('/apis/batch/v1', 'jobs')}/${name}`, { propagationPolicy: 'Foreground' });
  }

  get #isSecure(): boolean {
    return this.#base.protocol === 'https:';
  }

  #path(group: string, kind: string): string {
    return `${group}/namespaces/${this.#namespace}/${kind}`;
  }

  async #ask(method: string, path: string, document?: object): Promise<unknown> {
    const token = await this.#access.token();
    const body = document === undefined ? undefined : Buffer.from(JSON.stringify(document));
    const headers = {
      accept: 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(body.length) }),
    };
    const { status, text } = await this.#answered(method, path, headers, body);
    if (status >= 300) throw refusalOf(status, text);
    try {
      return JSON.parse(text);
    } catch {
      throw new ClusterAway(`${this.#base.origin} answered ${status} without JSON`);
    }
  }

  #answered(method: string, path: string, headers: Record<string, string>, body: Buffer | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly text: string }>();
    const url = new URL(`${this.#base.pathname.replace(/\/$/, '')}${path}`, this.#base);
    const away = (error: Error): void => reject(new ClusterAway(`cannot connect to ${url.origin}: ${error.message}`));
    const options = { method, headers, agent: this.#agent, signal: AbortSignal.timeout(LONGEST_SILENCE) };
    const outgoing = (this.#isSecure ? secureRequest : plainRequest)(url, options);
    outgoing.on('error', away);
    outgoing.on('response', (answer) => {
      let length = 0;
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_ANSWER) outgoing.destroy(new Error(`the response is larger than ${MAX_ANSWER} bytes`));
      });
      buffer(answer).then((bytes) => resolve({ status: answer.statusCode ?? 0, text: bytes.toString() }), away);
    });
    outgoing.end(body);
    return promise;
  }
}

const selecting = (labelSelector: string): URLSearchParams =>
  new URLSearchParams({ labelSelector, limit: `${MAX_LISTED}` });

function trustOf({ ca, serverName, certificate }: ClusterAccess) {
  return {
    ...(ca !== null && { ca }),
    ...(serverName !== null && { servername: serverName }),
    ...certificate,
  };
}

function baseOf(address: string): URL {
  const url = URL.parse(address);
  const isHere = url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url !== null && (url.protocol === 'https:' || isHere)) return url;
  throw new JobFailure(`the cluster URL ${address} is invalid or does not use TLS; expected https://HOST:PORT`);
}
