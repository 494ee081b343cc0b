import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Event, Pod, Secret } from 'kubernetes-types/core/v1.d.ts';
import { parse, parseAllDocuments } from 'yaml';
import { RunningPod } from './pod.ts';

/** Fate of a Job: its pod runs, has this status, or does not exist and the Job has this event. */
export type Fate = 'runs' | { readonly status: Pod['status'] } | { readonly event: string };

interface Answer {
  readonly status: number;
  readonly json: unknown;
}
type Named = Job | Secret | Pod;

const NAMESPACE = 'runs';
const GUIDE = readFileSync(new URL('../../../docs/guides/kubernetes.md', import.meta.url), 'utf8');
/** Permissions of an agent in the guide: the cluster refuses others. Form: `create jobs`. */
const ALLOWED = allowedBy(GUIDE);
const KINDS: Readonly<Record<string, string>> = {
  'apis/batch/v1': 'jobs',
  'api/v1': 'secrets,pods,events',
};

const refusal = (status: number, reason: string, message: string): Answer => ({
  status,
  json: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code: status },
});

/**
 * API server of a cluster with Jobs, their pods and Secrets. A running pod is a process of this machine, which
 * executes the command of the Job with the files that it mounts.
 */
export class FakeCluster {
  readonly token = `sa-${randomUUID()}`;
  readonly folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  readonly kubeconfig = join(this.folder, 'kubeconfig');
  readonly jobs = new Map<string, Job>();
  readonly secrets = new Map<string, Secret>();
  readonly pods = new Map<string, Pod>();
  readonly events: Event[] = [];
  readonly running = new Map<string, RunningPod>();
  /** All Jobs ever created. */
  readonly made: Job[] = [];
  fate: Fate = 'runs';
  /** Returns another response for a request, or `undefined` for the usual one. */
  intercept: (request: { readonly verb: string; readonly kind: string }) => Answer | 'no answer' | undefined = () =>
    undefined;
  #server: Server | undefined;
  #port = 0;

  static async start(): Promise<FakeCluster> {
    const cluster = new FakeCluster();
    await cluster.comeBack();
    writeFileSync(cluster.kubeconfig, cluster.#kubeconfig());
    return cluster;
  }

  async comeBack(): Promise<void> {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async goAway(): Promise<void> {
    const server = this.#server;
    server?.close();
    server?.closeAllConnections();
    if (server) await once(server, 'close');
  }

  async stop(): Promise<void> {
    await this.goAway();
    await Promise.all([...this.running.values()].map((pod) => pod.kill()));
  }

  /** Returns the pod of the only Job. */
  onlyPod(): Pod {
    const [pod, ...others] = this.pods.values();
    if (pod === undefined || others.length > 0) throw new Error(`there are ${this.pods.size} pods`);
    return pod;
  }

  /** The pod ends at once, with that status. */
  async fail(status: Pod['status']): Promise<void> {
    const pod = this.onlyPod();
    const name = pod.metadata?.name ?? '';
    setStatus(pod, { phase: 'Failed', ...status });
    await this.running.get(name)?.kill();
  }

  /** Deletes the Job, as a user does with `kubectl`. */
  async deleteJobs(): Promise<void> {
    await Promise.all([...this.jobs.values()].map((job) => this.#delete(job)));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://cluster');
    const [, group = '', kind = '', name = ''] =
      /^\/(apis\/batch\/v1|api\/v1)\/namespaces\/runs\/([a-z]+)(?:\/([a-z0-9-]+))?$/.exec(url.pathname) ?? [];
    const method = request.method ?? '';
    const verb = { POST: 'create', DELETE: 'delete', GET: name === '' ? 'list' : 'get' }[method] ?? method;
    const body = method === 'GET' ? undefined : ((await json(request)) as Job & Secret);
    const intercepted = this.intercept({ verb, kind });
    const isKnown = KINDS[group]?.split(',').includes(kind) === true;
    let answer: Answer;
    if (request.headers.authorization !== `Bearer ${this.token}`) answer = refusal(401, 'Unauthorized', 'Unauthorized');
    else if (!isKnown || !ALLOWED.includes(`${verb} ${kind}`)) {
      answer = refusal(403, 'Forbidden', `${kind} is forbidden: cannot ${verb} resource "${kind}" in "${NAMESPACE}"`);
    } else if (intercepted !== undefined && intercepted !== 'no answer') answer = intercepted;
    else answer = this.#answer(verb, kind, name, url.searchParams, body);
    if (intercepted === 'no answer') return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.json));
  }

  #answer(verb: string, kind: string, name: string, query: URLSearchParams, body: (Job & Secret) | undefined): Answer {
    if (kind === 'events') return this.#listed(eventsOf(this.events, query.get('fieldSelector') ?? ''));
    const all = { jobs: this.jobs, secrets: this.secrets, pods: this.pods }[kind] as Map<string, Named>;
    if (verb === 'list') return this.#listed([...all.values()].filter((one) => fits(one, query.get('labelSelector'))));
    if (verb === 'create' && body !== undefined) return this.#create(kind, all, body);
    const found = all.get(name);
    if (found === undefined) return refusal(404, 'NotFound', `${kind} "${name}" not found`);
    if (verb === 'delete') void this.#delete(found);
    return { status: 200, json: found };
  }

  #listed(items: readonly unknown[]): Answer {
    return { status: 200, json: { kind: 'List', apiVersion: 'v1', metadata: {}, items: structuredClone(items) } };
  }

  #create(kind: string, all: Map<string, Named>, object: Job & Secret): Answer {
    const name = object.metadata?.name ?? '';
    if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) return refusal(422, 'Invalid', `invalid name ${name}`);
    if (all.has(name)) return refusal(409, 'AlreadyExists', `${kind} "${name}" already exists`);
    object.metadata = { ...object.metadata, ...identity(NAMESPACE) };
    all.set(name, object);
    if (kind === 'jobs') {
      this.made.push(object);
      setStatus<Job>(object, {});
      void this.#control(object);
    }
    return { status: 201, json: object };
  }

  /** Does the work of the Job controller, the scheduler and the kubelet. */
  async #control(job: Job): Promise<void> {
    const { fate } = this;
    await sleep(20);
    const jobName = job.metadata?.name ?? '';
    if (typeof fate === 'object' && 'event' in fate) {
      const involvedObject = { kind: 'Job', name: jobName, uid: job.metadata?.uid ?? '' };
      const metadata = { name: `${jobName}.1`, ...identity(NAMESPACE) };
      const lastTimestamp = new Date().toISOString();
      this.events.push({ metadata, involvedObject, type: 'Warning', message: fate.event, lastTimestamp });
      return;
    }
    const pod = this.#newPod(job);
    if (fate === 'runs') await this.#run(job, pod);
    else setStatus(pod, { phase: 'Pending', ...fate.status });
  }

  #newPod(job: Job): Pod {
    const name = `${job.metadata?.name}-${randomUUID().slice(0, 5)}`;
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: job.metadata?.name ?? '', uid: job.metadata?.uid ?? '' };
    const { metadata, spec } = structuredClone(job.spec?.template) ?? {};
    const made = { ...metadata, name, ...identity(NAMESPACE), ownerReferences: [owner] };
    const pod: Pod = { metadata: made, spec: { ...(spec ?? { containers: [] }), nodeName: 'node-1' } };
    setStatus(pod, { phase: 'Pending', containerStatuses: [waiting('ContainerCreating')] });
    this.pods.set(name, pod);
    return pod;
  }

  async #run(job: Job, pod: Pod): Promise<void> {
    const name = pod.metadata?.name ?? '';
    const secretName = pod.spec?.volumes?.find(({ secret }) => secret)?.secret?.secretName ?? '';
    while (!this.secrets.has(secretName)) {
      await sleep(50);
      if (!this.pods.has(name)) return;
    }
    const running = new RunningPod(pod, this.secrets.get(secretName) as Secret, join(this.folder, name));
    this.running.set(name, running);
    setStatus(pod, { phase: 'Running' });
    const exitCode = await running.ended;
    if (pod.status?.phase === 'Running') {
      const terminated = { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' };
      const containerStatuses = [{ ...waiting(''), state: { terminated } }];
      setStatus(pod, { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses });
    }
    const type = exitCode === 0 ? 'Complete' : 'Failed';
    setStatus(job, { conditions: [{ type, status: 'True', reason: 'BackoffLimitExceeded', message: 'no more' }] });
  }

  /** Deletes in the foreground: pods and other dependents first. */
  async #delete(job: Named): Promise<void> {
    const { name = '', uid } = job.metadata ?? {};
    if (job.metadata?.deletionTimestamp) return;
    job.metadata = { ...job.metadata, deletionTimestamp: new Date().toISOString() };
    const owned = (one: Named): boolean => one.metadata?.ownerReferences?.some((owner) => owner.uid === uid) === true;
    for (const pod of [...this.pods.values()].filter(owned)) {
      pod.metadata = { ...pod.metadata, deletionTimestamp: new Date().toISOString() };
      await this.running.get(pod.metadata?.name ?? '')?.end();
      this.pods.delete(pod.metadata?.name ?? '');
    }
    this.jobs.delete(name);
    for (const secret of [...this.secrets.values()].filter(owned)) this.secrets.delete(secret.metadata?.name ?? '');
  }

  #kubeconfig(): string {
    return `apiVersion: v1
kind: Config
current-context: here
contexts: [{ name: here, context: { cluster: fake, user: agent } }]
clusters: [{ name: fake, cluster: { server: "http://127.0.0.1:${this.#port}" } }]
users: [{ name: agent, user: { token: ${this.token} } }]
`;
  }
}

const identity = (namespace: string) => ({
  ...{ namespace, uid: randomUUID() },
  creationTimestamp: new Date().toISOString(),
});

/** State of a container that does not exist yet. */
export const waiting = (reason: string, message = '') => ({
  ...{ name: 'agent', image: '', imageID: '', ready: false, restartCount: 0 },
  state: { waiting: { reason, message } },
});

function allowedBy(guide: string): string[] {
  const manifests = parseAllDocuments(/```yaml\n(apiVersion:[\s\S]*?)```/.exec(guide)?.[1] ?? '').map((one) =>
    one.toJS(),
  );
  const { rules } = manifests.find(({ kind }) => kind === 'Role');
  return rules.flatMap(({ resources, verbs }: { resources: string[]; verbs: string[] }) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
  );
}

/** Agent settings in the guide. */
export const settingsOfGuide = (): object => parse(/```yaml\n(address:[\s\S]*?)```/.exec(GUIDE)?.[1] ?? '');

/** Clients cannot change it. */
function setStatus<T extends Job | Pod>(object: T, status: T['status']): void {
  Object.assign(object, { status });
}

function fits({ metadata }: Named, selector: string | null): boolean {
  const wanted = (selector ?? '').split(',').filter((one) => one !== '');
  return wanted.every((one) => metadata?.labels?.[one.split('=')[0] ?? ''] === one.split('=')[1]);
}

const eventsOf = (events: readonly Event[], selector: string): Event[] =>
  events.filter(({ involvedObject }) => selector === `involvedObject.uid=${involvedObject.uid}`);
