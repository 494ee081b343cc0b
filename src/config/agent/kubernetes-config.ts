import { ConfigError } from '../config-error.ts';
import type { KubernetesTree } from './kubernetes-schema.ts';

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
    resources: { requests: texts(tree.resources.requests), limits: texts(tree.resources.limits) },
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
const texts = (amounts: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, String(amount)]));
