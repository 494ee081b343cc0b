import Type, { type Static } from 'typebox';
import { ConfigError } from '../config-error.ts';
import { defaulted, optional, optionalPath, section, setting } from '../setting.ts';

/** @limit entries of one list or mapping in the settings of Kubernetes, entries -> the agent does not start */
const MAX_ENTRIES = 64;

const name = Type.String({ minLength: 1, maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' });
const namespace = Type.String({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' });
const text = Type.String({ minLength: 1, maxLength: 1024 });
const texts = Type.Array(text, { maxItems: MAX_ENTRIES, default: [] });
const KEY = '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';
const key = Type.String({ pattern: KEY });
const LABEL = '^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$';
const byKey = (pattern: string) =>
  Type.Record(key, Type.String({ pattern, maxLength: 1024 }), {
    maxProperties: MAX_ENTRIES,
    additionalProperties: false,
    default: {},
  });
const AMOUNT = '^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$';
const amount = Type.Union([Type.String({ pattern: AMOUNT }), Type.Number({ exclusiveMinimum: 0 })]);
const amounts = Type.Record(key, amount, { maxProperties: MAX_ENTRIES, additionalProperties: false, default: {} });
const duration = (initial: string) => Type.String({ maxLength: 20, default: initial });

const toleration = Type.Object(
  {
    key: Type.Optional(key),
    operator: Type.Optional(Type.Enum(['Exists', 'Equal'])),
    value: Type.Optional(Type.String({ maxLength: 63 })),
    effect: Type.Optional(Type.Enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])),
    tolerationSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  },
  { additionalProperties: false },
);

/** Settings of the executor `kubernetes`: namespace and shape of the agent's Jobs. */
export const kubernetesSchema = Type.Object(
  {
    namespace: setting(
      namespace,
      'a namespace',
      'Namespace for Jobs and their Secrets. Use a namespace that holds nothing else.',
    ),
    image: setting(text, 'an image', 'Image with `lockkeeper` and the engines that the workspaces need.'),
    kubeconfig: optionalPath(
      'a file',
      "Kubeconfig file for the cluster. Default: the service account of the agent's pod.",
    ),
    image_pull_policy: optional(
      Type.Enum(['Always', 'IfNotPresent', 'Never']),
      'Always, IfNotPresent, Never',
      "Image pull policy. Default: the cluster's default.",
    ),
    image_pull_secrets: defaulted(
      Type.Array(name, { maxItems: MAX_ENTRIES, default: [] }),
      'names of Secrets',
      'Secrets with the credentials to pull the image.',
    ),
    command: defaulted(
      Type.Array(text, { minItems: 1, maxItems: MAX_ENTRIES, default: ['lockkeeper'] }),
      'a list of texts',
      'Command to run in the image, before its arguments. Default: `[lockkeeper]`.',
    ),
    args: defaulted(
      texts,
      'a list of texts',
      'Additional flags of `lockkeeper agent`, such as `[--engines, /opt/engines]`.',
    ),
    isolation: defaulted(
      Type.Enum(['none', 'bubblewrap'], { default: 'none' }),
      'none, bubblewrap',
      'Isolation of runs inside their pod. Default: none, because the pod holds nothing else.',
    ),
    service_account: optional(
      name,
      'a name',
      "Service account of the pods. Its token is not mounted. Default: the namespace's default account.",
    ),
    resources: section({
      requests: defaulted(amounts, 'a mapping such as {cpu: 500m, memory: 1Gi}', 'Resource requests of a pod.'),
      limits: defaulted(amounts, 'a mapping such as {cpu: 2, memory: 2Gi}', 'Resource limits of a pod.'),
    }),
    node_selector: defaulted(byKey(LABEL), 'a mapping of labels', 'Node selector of the pods.'),
    tolerations: defaulted(
      Type.Array(toleration, { maxItems: MAX_ENTRIES, default: [] }),
      'a list of {key, operator, value, effect, tolerationSeconds}',
      'Tolerations of the pods.',
    ),
    labels: defaulted(byKey(LABEL), 'a mapping of labels', 'Additional labels of Jobs and pods.'),
    annotations: defaulted(byKey(''), 'a mapping of texts', 'Additional annotations of Jobs and pods.'),
    priority_class: optional(name, 'a name', 'Priority class of the pods.'),
    runtime_class: optional(
      name,
      'a name',
      'Runtime class of the pods, for example a sandbox such as gVisor or Kata Containers.',
    ),
    seccomp_profile: defaulted(
      { ...text, default: 'RuntimeDefault' },
      'RuntimeDefault, or the file of a profile on the nodes',
      'Seccomp profile of the pods. Default: RuntimeDefault.',
    ),
    run_as_user: defaulted(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1000 }),
      'a number, not 0',
      'User and group ID of the pods.',
    ),
    kept_states_claim: optional(
      name,
      'the name of a PersistentVolumeClaim',
      'Volume for states that could not be uploaded. All pods write to it. Without it, such a state is lost with its pod.',
    ),
    start_timeout: defaulted(
      duration('10m'),
      'a duration such as 10m',
      'Time that a pod may take to start. After it the run fails with the reason. Default: 10 minutes.',
    ),
    ttl_after_finished: defaulted(
      duration('1h'),
      'a duration from 5m',
      'Time that a Job with a failed pod is kept for inspection. Other Jobs are removed at once. Default: 1 hour.',
    ),
  },
  { additionalProperties: false, allowed: 'a mapping, with namespace and image' },
);

type KubernetesTree = Static<typeof kubernetesSchema>;

/** Settings of the executor `kubernetes`. Null for what is not set; seconds. */
export type KubernetesConfig = ReturnType<typeof kubernetesConfig>;

/** Minimum time that finished Jobs stay, so that a restarted agent can still read their results. */
const SHORTEST_TTL = 300;

/**
 * @param seconds parses a duration
 * @throws ConfigError
 */
export function kubernetesConfig(tree: KubernetesTree, seconds: (key: string, text: string) => number) {
  const ttlAfterFinished = seconds('kubernetes.ttl_after_finished', tree.ttl_after_finished);
  if (ttlAfterFinished < SHORTEST_TTL) {
    throw new ConfigError(`kubernetes.ttl_after_finished: found ${tree.ttl_after_finished}; allowed: from 5m`);
  }
  return {
    kubeconfig: tree.kubeconfig ?? null,
    namespace: tree.namespace,
    image: tree.image,
    imagePullPolicy: tree.image_pull_policy ?? null,
    imagePullSecrets: tree.image_pull_secrets,
    command: tree.command,
    args: tree.args,
    isolation: tree.isolation,
    serviceAccount: tree.service_account ?? null,
    resources: { requests: asTexts(tree.resources.requests), limits: asTexts(tree.resources.limits) },
    nodeSelector: tree.node_selector,
    tolerations: tree.tolerations,
    labels: tree.labels,
    annotations: tree.annotations,
    priorityClass: tree.priority_class ?? null,
    runtimeClass: tree.runtime_class ?? null,
    seccompProfile: tree.seccomp_profile,
    keptStatesClaim: tree.kept_states_claim ?? null,
    user: tree.run_as_user,
    startTimeout: seconds('kubernetes.start_timeout', tree.start_timeout),
    ttlAfterFinished,
  };
}

/** Converts numbers to text, because YAML reads `cpu: 2` as a number. */
const asTexts = (amounts: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, String(amount)]));
