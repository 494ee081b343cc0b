import type { Toleration } from 'kubernetes-types/core/v1.d.ts';
import type { JobBounds } from '../../lib/engines/job-bounds.ts';

/** How the Jobs of an agent look, and where they are. */
export interface KubernetesSettings {
  /** A file; null for the service account of the pod that the agent is in. */
  readonly kubeconfig: string | null;
  readonly namespace: string;
  readonly image: string;
  readonly imagePullPolicy: 'Always' | 'IfNotPresent' | 'Never' | null;
  readonly imagePullSecrets: readonly string[];
  /** What runs in the image; behind it come the arguments of `lockkeeper`. */
  readonly command: readonly string[];
  /** Behind those of the agent: where the image has its engines, for instance. */
  readonly args: readonly string[];
  readonly isolation: 'none' | 'bubblewrap';
  readonly serviceAccount: string | null;
  readonly resources: {
    readonly requests: Readonly<Record<string, string>>;
    readonly limits: Readonly<Record<string, string>>;
  };
  readonly bounds: JobBounds;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly priorityClass: string | null;
  readonly runtimeClass: string | null;
  /** `RuntimeDefault`, or the file of a profile on the nodes. */
  readonly seccompProfile: string;
  readonly user: number;
  /** Where states are kept that no server took; null: they go with their pod. */
  readonly keptStatesClaim: string | null;
  /** Seconds: how long a pod may take until it runs. */
  readonly startTimeout: number;
  /** Seconds that a Job which has ended stays, where it is not removed at once. */
  readonly ttlAfterFinished: number;
}
