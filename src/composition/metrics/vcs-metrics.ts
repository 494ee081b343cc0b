import { gauge, type Metrics } from '../../server/index.ts';
import {
  connectionsByStatus,
  openEventsByState,
  repositoriesByHealth,
  type Workspaces,
} from '../../workspaces/index.ts';
import { cachedRead } from './cached-read.ts';

/** Metrics of version control. */
export const VCS_METRICS = {
  connections: gauge(
    'lockkeeper_vcs_connections',
    'Connections to VCS providers by which workspaces follow repositories, by the status of their last check.',
    ['status'],
  ),
  repositories: gauge(
    'lockkeeper_vcs_repositories',
    'Repositories that workspaces follow, by their health at the last look-up.',
    ['health'],
  ),
  events: gauge(
    'lockkeeper_vcs_events',
    'Events of repositories that wait for their verdicts, or that the server gave up.',
    ['state'],
  ),
} as const;

export function registerVcs(metrics: Metrics, { database }: Workspaces): void {
  metrics.shared(
    VCS_METRICS.connections,
    cachedRead(async () =>
      (await connectionsByStatus(database)).map(({ status, count }) => ({ labels: { status }, value: count })),
    ),
  );
  metrics.shared(
    VCS_METRICS.repositories,
    cachedRead(async () =>
      (await repositoriesByHealth(database)).map(({ health, count }) => ({ labels: { health }, value: count })),
    ),
  );
  metrics.shared(
    VCS_METRICS.events,
    cachedRead(async () =>
      (await openEventsByState(database)).map(({ state, count }) => ({ labels: { state }, value: count })),
    ),
  );
}
