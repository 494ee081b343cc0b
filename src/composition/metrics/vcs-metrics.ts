import { gauge, type Metrics } from '../../server/index.ts';
import type { Workspaces } from '../../workspaces/index.ts';
import { cachedRead } from './cached-read.ts';

/** Metrics of version control. */
export const VCS_METRICS = {
  connections: gauge(
    'lockkeeper_vcs_connections',
    'Connections to VCS providers with repositories that workspaces follow, by the status of their last check.',
    ['status'],
  ),
} as const;

export function registerVcs(metrics: Metrics, { database, vcs }: Workspaces): void {
  metrics.shared(
    VCS_METRICS.connections,
    cachedRead(async () =>
      (await vcs.countConnections(database)).map(({ status, count }) => ({ labels: { status }, value: count })),
    ),
  );
}
