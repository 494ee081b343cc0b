import type { Audit, HealthCheck, Incoming, Metrics, MetricsSnapshot } from '../server/index.ts';

/** The other workers of a server with several processes. */
export interface Peers {
  /** Receives connections of this listener, which the supervisor accepts. */
  incoming(listener: number): Incoming;
  /** Returns status reports of the other workers. Undefined for a worker that does not respond. */
  request(topic: 'metrics' | 'history' | 'health' | 'tasks', own?: unknown): Promise<readonly unknown[]>;
}

/**
 * Status report of a worker for the others. Shared resources such as the database are checked by each worker itself.
 */
export interface PeerHealth {
  readonly ok: boolean;
}

/** Checks that all workers respond and can write their audit entries. */
export function peersCheck(peers: Peers): HealthCheck {
  return {
    name: 'workers',
    run: async () => {
      const answers = (await peers.request('health')) as readonly (PeerHealth | null | undefined)[];
      if (!answers.every((answer) => answer?.ok)) throw new Error('a worker is not healthy');
    },
  };
}

export function healthOf(audit: Audit): PeerHealth {
  return { ok: audit.health().ok };
}

/** Merges the metrics of all workers. */
export function addPeers(metrics: Metrics, peers: Peers): void {
  metrics.addOtherProcesses(async (own) => (await peers.request('metrics', own)) as readonly MetricsSnapshot[]);
}
