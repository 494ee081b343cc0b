import type { Job, JobList } from 'kubernetes-types/batch/v1.d.ts';
import type { EventList, PodList, Secret } from 'kubernetes-types/core/v1.d.ts';
import { reasonOf } from '../../../lib/http/fetch-error.ts';
import { HttpClient } from '../../../lib/http/http-client.ts';
import type { HttpRequest, TlsSettings } from '../../../lib/http/http-request.ts';
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
  readonly #client: HttpClient;
  readonly #base: URL;

  /**
   * Creates a client without connecting.
   * @throws JobFailure for an invalid URL, or one that would send tokens unencrypted
   */
  constructor(access: ClusterAccess, namespace: string) {
    this.#access = access;
    this.#namespace = namespace;
    this.#base = baseOf(access.address);
    this.#client = new HttpClient({ connections: { maxIdle: MAX_IDLE }, tls: trustOf(access) });
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

  #path(group: string, kind: string): string {
    return `${group}/namespaces/${this.#namespace}/${kind}`;
  }

  async #ask(method: string, path: string, document?: object): Promise<unknown> {
    const token = await this.#access.token();
    const headers = {
      accept: 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(document !== undefined && { 'content-type': 'application/json' }),
    };
    const body = document === undefined ? {} : { body: JSON.stringify(document) };
    const { status, text } = await this.#answered(path, { method, headers, ...body });
    if (status >= 300) throw refusalOf(status, text);
    try {
      return JSON.parse(text);
    } catch {
      throw new ClusterAway(`${this.#base.origin} answered ${status} without JSON`);
    }
  }

  async #answered(path: string, request: Omit<HttpRequest, 'limits'>) {
    const url = new URL(`${this.#base.pathname.replace(/\/$/, '')}${path}`, this.#base);
    const limits = { timeoutMs: LONGEST_SILENCE, maxBytes: MAX_ANSWER };
    try {
      const response = await this.#client.send(url, { ...request, limits });
      return { status: response.status, text: (await response.bytes()).toString() };
    } catch (error) {
      throw new ClusterAway(`cannot connect to ${url.origin}: ${reasonOf(error)}`);
    }
  }
}

const selecting = (labelSelector: string): URLSearchParams =>
  new URLSearchParams({ labelSelector, limit: `${MAX_LISTED}` });

function trustOf({ ca, serverName, certificate }: ClusterAccess): TlsSettings {
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
