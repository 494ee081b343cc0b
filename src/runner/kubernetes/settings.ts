import type { Toleration } from 'kubernetes-types/core/v1.d.ts';
import type { JobBounds } from '../../lib/job/bounds.ts';

/** Settings for the Kubernetes Jobs of an agent. */
export interface KubernetesSettings {
  /** Path of a kubeconfig; null for the service account of the agent's pod. */
  readonly kubeconfig: string | null;
  readonly namespace: string;
  readonly image: string;
  readonly imagePullPolicy: 'Always' | 'IfNotPresent' | 'Never' | null;
  readonly imagePullSecrets: readonly string[];
  /** Command in the image. The arguments of `lockkeeper` follow it. */
  readonly command: readonly string[];
  /** Additional arguments for the agent in the pod, for example the folder of engines. */
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
  /** `RuntimeDefault`, or the path of a profile on the nodes. */
  readonly seccompProfile: string;
  readonly user: number;
  /** Name of the volume claim for kept states. If null, kept states are lost with the pod. */
  readonly keptStatesClaim: string | null;
  /** Start timeout: seconds within which a pod must run. */
  readonly startTimeout: number;
  /** TTL of ended Jobs that are not deleted immediately, in seconds. */
  readonly ttlAfterFinished: number;
}
