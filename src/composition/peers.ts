import type { Audit, HealthCheck, Incoming, Metrics, MetricsSnapshot } from '../server/index.ts';

/** The other workers, where several processes are one server. */
export interface Peers {
  /** Connections of the listener of this number, which another process accepts. */
  incoming(listener: number): Incoming;
  /** What the others know of themselves; undefined for one that does not answer. */
  request(topic: 'metrics' | 'history' | 'health', own?: unknown): Promise<readonly unknown[]>;
}

/** What a worker tells the others. What they share, as a database, each tries for itself. */
export interface PeerHealth {
  readonly ok: boolean;
}

/** All workers answer, and each can keep its record. */
export function peersCheck(peers: Peers): HealthCheck {
  return {
    name: 'workers',
    run: async () => {
      const answers = (await peers.request('health')) as readonly (PeerHealth | null | undefined)[];
      if (!answers.every((answer) => answer?.ok)) throw new Error('a worker does not work');
    },
  };
}

export function healthOf(audit: Audit): PeerHealth {
  return { ok: audit.health().ok };
}

/** The page of metrics is of all workers. */
export function addPeers(metrics: Metrics, peers: Peers): void {
  metrics.addOtherProcesses(async (own) => (await peers.request('metrics', own)) as readonly MetricsSnapshot[]);
}
