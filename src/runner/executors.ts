import type { Executor } from './agent/executor.ts';
import type { Workshop } from './agent/job/workshop.ts';
import type { KubernetesAgent } from './kubernetes/executor.ts';
import type { KubernetesSettings } from './kubernetes/settings.ts';

/**
 * Returns a factory for an executor that runs jobs in a Kubernetes cluster. Loads the Kubernetes code only now.
 * @throws JobFailure for invalid credentials
 */
export async function inKubernetes(
  settings: KubernetesSettings,
  agent: KubernetesAgent,
): Promise<(workshop: Workshop) => Executor> {
  const { clusterOf, KubernetesExecutor } = await import('./kubernetes/executor.ts');
  const cluster = await clusterOf(settings);
  return (workshop) => new KubernetesExecutor(cluster, settings, agent, workshop);
}
