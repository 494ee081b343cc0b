import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../lib/clock.ts';

/** What load balancers and clients ask before they have a token. */
export function sysRoutes(app: FastifyInstance, version: string, clock: Clock): void {
  // Fastify answers HEAD with this too. The keyring opens at start: a server that answers is initialized and not sealed.
  app.get('/health', async () => ({
    initialized: true,
    sealed: false,
    standby: false,
    performance_standby: false,
    replication_performance_mode: 'disabled',
    replication_dr_mode: 'disabled',
    server_time_utc: Math.floor(clock() / 1000),
    version,
    enterprise: false,
    cluster_name: 'lockkeeper',
  }));
}
