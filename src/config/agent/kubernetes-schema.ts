import Type, { type Static } from 'typebox';
import { optional, path, setting } from './setting.ts';

/** @limit names, values and arguments that a setting of Kubernetes lists, entries -> the agent does not start */
const MAX_ENTRIES = 64;

const name = Type.String({ minLength: 1, maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' });
const namespace = Type.String({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' });
const text = Type.String({ minLength: 1, maxLength: 1024 });
const texts = Type.Array(text, { maxItems: MAX_ENTRIES });
const KEY = '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';
const key = Type.String({ pattern: KEY });
const LABEL = '^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$';
const byKey = (pattern: string) =>
  Type.Record(key, Type.String({ pattern, maxLength: 1024 }), {
    maxProperties: MAX_ENTRIES,
    additionalProperties: false,
  });
const AMOUNT = '^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$';
const amount = Type.Union([Type.String({ pattern: AMOUNT }), Type.Number({ exclusiveMinimum: 0 })]);
const amounts = Type.Record(key, amount, { maxProperties: MAX_ENTRIES, additionalProperties: false });
const duration = Type.String({ maxLength: 20 });

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

/** Of the executor `kubernetes`: how the Jobs of an agent look, and where they are. */
export const kubernetesSchema = Type.Object(
  {
    namespace: setting(namespace, 'a namespace', 'Where Jobs and their Secrets are made: one of their own.'),
    image: setting(text, 'an image', 'It has `lockkeeper`, and the engines that its workspaces want.'),
    kubeconfig: path('a file', 'How the cluster is reached; else the service account of the pod that the agent is in.'),
    image_pull_policy: optional(
      Type.Enum(['Always', 'IfNotPresent', 'Never']),
      'Always, IfNotPresent, Never',
      'When nodes pull it; else as the cluster does.',
    ),
    image_pull_secrets: optional(
      Type.Array(name, { maxItems: MAX_ENTRIES }),
      'names of Secrets',
      'With what it is pulled.',
    ),
    command: optional(
      Type.Array(text, { minItems: 1, maxItems: MAX_ENTRIES }),
      'a list of texts',
      'What is run in the image; else `[lockkeeper]`. Its arguments follow.',
    ),
    args: optional(texts, 'a list of texts', 'More flags of `lockkeeper agent`, such as `[--engines, /opt/engines]`.'),
    isolation: optional(
      Type.Enum(['none', 'bubblewrap'], { default: 'none' }),
      'none, bubblewrap',
      'What keeps configurations away from the pod they run in; else none, since nothing else is in it.',
    ),
    service_account: optional(
      name,
      'a name',
      'Of the pods; its token is not mounted. Else the default one of the namespace.',
    ),
    resources: Type.Optional(
      Type.Object(
        {
          requests: optional(amounts, 'a mapping such as {cpu: 500m, memory: 1Gi}', 'What a pod is given.'),
          limits: optional(amounts, 'a mapping such as {cpu: 2, memory: 2Gi}', 'What it may take at most.'),
        },
        { additionalProperties: false },
      ),
    ),
    node_selector: optional(byKey(LABEL), 'a mapping of labels', 'Nodes that a pod may be on.'),
    tolerations: optional(
      Type.Array(toleration, { maxItems: MAX_ENTRIES }),
      'a list of {key, operator, value, effect, tolerationSeconds}',
      'Taints that a pod stands.',
    ),
    labels: optional(byKey(LABEL), 'a mapping of labels', 'More labels of Jobs and pods.'),
    annotations: optional(byKey(''), 'a mapping of texts', 'More annotations of Jobs and pods.'),
    priority_class: optional(name, 'a name', 'How important a pod is among others.'),
    runtime_class: optional(name, 'a name', 'What runs the pods: a sandbox such as gVisor or Kata Containers.'),
    seccomp_profile: optional(
      text,
      'RuntimeDefault, or the file of a profile on the nodes',
      'System calls that a pod may make; else RuntimeDefault.',
    ),
    run_as_user: optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1000 }),
      'a number, not 0',
      'The user and group of pods.',
    ),
    kept_states_claim: optional(
      name,
      'the name of a PersistentVolumeClaim',
      'Where a state is kept that no server took; else it goes with its pod. All pods write to it.',
    ),
    start_timeout: optional(
      duration,
      'a duration such as 10m',
      'How long a pod may take until it runs; then its run fails, and says why. Else 10 minutes.',
    ),
    ttl_after_finished: optional(
      duration,
      'a duration from 5m',
      'How long a Job whose pod failed stays, to be looked at. Others are removed at once. Else an hour.',
    ),
  },
  { additionalProperties: false, allowed: 'a mapping, with namespace and image' },
);

export type KubernetesTree = Static<typeof kubernetesSchema>;
