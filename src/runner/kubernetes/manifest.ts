import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Container, PodSpec, Secret, Toleration } from 'kubernetes-types/core/v1.d.ts';
import { DEFAULT_BOUNDS, type JobBounds } from '../../lib/job/bounds.ts';
import { TIMEOUT } from '../agent/job/job-client.ts';
import { ANNOTATIONS, LABELS } from './names.ts';
import type { KubernetesSettings } from './settings.ts';

/** A job, and the agent and server that its pod works for. */
export interface Assignment {
  /** Name of the Kubernetes Job and of its Secret. */
  readonly name: string;
  readonly jobId: string;
  readonly runId: string;
  /** Workspace of the run, for example `acme/network`. */
  readonly workspace: string;
  /** Timeout of the job, in seconds. */
  readonly timeout: number;
  readonly agentLabel: string;
  readonly agentName: string;
  readonly agentId: string;
  /** URL of the server. */
  readonly address: string;
  /** CA certificates for verifying the server, PEM. They are in the Secret, next to the token. */
  readonly ca: string | null;
}

/** Termination grace period of a pod, in seconds: the grace of an interrupted engine, plus the upload of its state. */
export const GRACE = 180;
/** Seconds of a Job after its timeout, in which it uploads its results, also to an unavailable server. */
export const HANDOVER = TIMEOUT / 1000 + GRACE;
/** Seconds until pods are removed from a node that does not respond. */
const NODE_TIMEOUT = 60;
const SECRETS = '/run/secrets/lockkeeper';
const WORK = '/work';
const FOLDER = `${WORK}/agent`;
const MANAGED_BY = { 'app.kubernetes.io/name': 'lockkeeper', 'app.kubernetes.io/managed-by': 'lockkeeper-agent' };

/** Returns the Kubernetes Job for one job. It never retries. */
export function jobManifest(assignment: Assignment, settings: KubernetesSettings): Job {
  const labels = { ...settings.labels, ...labelsOf(assignment) };
  const annotations = {
    [ANNOTATIONS.agent]: assignment.agentName,
    [ANNOTATIONS.agentId]: assignment.agentId,
    [ANNOTATIONS.workspace]: assignment.workspace,
  };
  const { startTimeout, ttlAfterFinished } = settings;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: assignment.name, labels, annotations: { ...settings.annotations, ...annotations } },
    spec: {
      backoffLimit: 0,
      // A terminating pod may still upload its state, so no other pod replaces it before it has ended.
      podReplacementPolicy: 'Failed',
      completions: 1,
      parallelism: 1,
      activeDeadlineSeconds: startTimeout + assignment.timeout + HANDOVER,
      ttlSecondsAfterFinished: ttlAfterFinished,
      template: {
        metadata: { labels, annotations: { ...STAY, ...settings.annotations, ...annotations } },
        spec: podSpec(assignment, settings),
      },
    },
  };
}

/**
 * Returns the Secret with the token of a job. It is deleted with the Job.
 * @param uid uid of the Job
 */
export function secretManifest(assignment: Assignment, token: string, uid: string): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: assignment.name,
      labels: labelsOf(assignment),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: assignment.name, uid }],
    },
    type: 'Opaque',
    immutable: true,
    stringData: { token, ...(assignment.ca !== null && { 'ca.pem': assignment.ca }) },
  };
}

const labelsOf = ({ agentLabel, jobId, runId }: Assignment): Record<string, string> => ({
  ...MANAGED_BY,
  [LABELS.agent]: agentLabel,
  [LABELS.job]: jobId,
  [LABELS.run]: runId,
});

/** Annotations that keep autoscalers from moving a pod, because an apply must not be interrupted. */
const STAY = {
  'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
  'karpenter.sh/do-not-disrupt': 'true',
};

function podSpec(assignment: Assignment, settings: KubernetesSettings): PodSpec {
  const { serviceAccount, priorityClass, runtimeClass, imagePullSecrets, user, keptStatesClaim } = settings;
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: GRACE,
    nodeSelector: { ...settings.nodeSelector },
    tolerations: tolerationsOf(settings.tolerations),
    ...(serviceAccount !== null && { serviceAccountName: serviceAccount }),
    ...(priorityClass !== null && { priorityClassName: priorityClass }),
    ...(runtimeClass !== null && { runtimeClassName: runtimeClass }),
    ...(imagePullSecrets.length > 0 && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    securityContext: {
      runAsNonRoot: true,
      ...{ runAsUser: user, runAsGroup: user, fsGroup: user },
      seccompProfile: seccompOf(settings),
    },
    volumes: [
      { name: 'secrets', secret: { secretName: assignment.name, defaultMode: 0o440 } },
      { name: 'work', emptyDir: { sizeLimit: diskOf(settings) } },
      { name: 'tmp', emptyDir: { sizeLimit: diskOf(settings) } },
      ...(keptStatesClaim === null ? [] : [{ name: 'kept', persistentVolumeClaim: { claimName: keptStatesClaim } }]),
    ],
    containers: [container(assignment, settings)],
  };
}

function container(assignment: Assignment, settings: KubernetesSettings): Container {
  const { image, imagePullPolicy, command, keptStatesClaim } = settings;
  return {
    name: 'agent',
    image,
    ...(imagePullPolicy !== null && { imagePullPolicy }),
    command: [...command],
    args: argumentsOf(assignment, settings),
    env: [
      { name: 'HOME', value: WORK },
      { name: 'TMPDIR', value: '/tmp' },
    ],
    workingDir: WORK,
    resources: resourcesOf(settings),
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'secrets', mountPath: SECRETS, readOnly: true },
      { name: 'work', mountPath: WORK },
      { name: 'tmp', mountPath: '/tmp' },
      ...(keptStatesClaim === null ? [] : [{ name: 'kept', mountPath: `${FOLDER}/kept` }]),
    ],
  };
}

/** Resources of the agent in the pod, MiB, on top of the bounds of a job: `disk` is for archives of the folders. */
const AGENT = { memory: 512, disk: 1024 };

/**
 * Returns limits and requests of the container: bounds of the job plus those of its agent. Settings of the cluster take
 * precedence. Requests are lower than limits, so that a node can hold more pods.
 */
function resourcesOf({ resources, bounds }: KubernetesSettings) {
  const { memory, cpus } = bounds;
  const limits = { memory: `${memory + AGENT.memory}Mi`, ...(cpus !== null && { cpu: String(cpus) }) };
  const requests = { memory: `${AGENT.memory}Mi`, cpu: '100m' };
  const own = { ...limits, ...resources.limits };
  const asked = Object.entries(requests).filter(([name]) => name in limits && !(name in resources.limits));
  return { requests: { ...Object.fromEntries(asked), ...resources.requests }, limits: own };
}

const diskOf = ({ bounds }: KubernetesSettings): string => `${bounds.disk + AGENT.disk}Mi`;

/** Returns the arguments of the container. They contain no secrets, because everyone who can see pods sees them. */
function argumentsOf({ jobId, address, ca }: Assignment, { isolation, bounds, args }: KubernetesSettings): string[] {
  const told = {
    '--job': jobId,
    '--job-token-file': `${SECRETS}/token`,
    '--address': address,
    ...(ca !== null && { '--ca-cert': `${SECRETS}/ca.pem` }),
    '--folder': FOLDER,
    '--isolation': isolation,
    // The pod has its own network, and no TUN device to create another.
    ...(isolation === 'bubblewrap' && { '--network': 'host' }),
    ...boundFlags(bounds),
  };
  return ['agent', ...Object.entries(told).flat(), ...args];
}

/**
 * Returns flags for bounds that differ from the default. An older image does not know these flags, so defaults are
 * omitted.
 */
function boundFlags({ memory, processes, files, disk }: JobBounds): Record<string, string> {
  const flags = [
    ['--job-memory', memory, DEFAULT_BOUNDS.memory],
    ['--job-processes', processes, DEFAULT_BOUNDS.processes],
    ['--job-files', files, DEFAULT_BOUNDS.files],
    ['--job-disk', disk, DEFAULT_BOUNDS.disk],
  ] as const;
  const changed = flags.filter(([, value, usual]) => value !== usual);
  return Object.fromEntries(changed.map(([flag, value]) => [flag, String(value)]));
}

function tolerationsOf(own: readonly Toleration[]): Toleration[] {
  const silent = ['node.kubernetes.io/unreachable', 'node.kubernetes.io/not-ready'];
  const ours = silent.filter((key) => !own.some((one) => one.key === key));
  const timeout = { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: NODE_TIMEOUT };
  return [...own, ...ours.map((key): Toleration => ({ key, ...timeout }))];
}

function seccompOf({ seccompProfile }: KubernetesSettings) {
  if (seccompProfile === 'RuntimeDefault') return { type: 'RuntimeDefault' };
  return { type: 'Localhost', localhostProfile: seccompProfile };
}
