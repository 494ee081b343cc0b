import type { Audit, HealthCheck } from '../server/index.ts';
import type { Domains } from './domains.ts';

/** Checks whose failure makes the server refuse requests. */
export function healthChecks({ databases, blobStore }: Domains, audit: Audit): HealthCheck[] {
  const checks = Object.entries(databases).map(([name, database]) => ({
    name: `database-${name}`,
    run: () => database.check(),
  }));
  return [
    // On PostgreSQL both databases are one.
    ...checks.slice(0, databases.access === databases.workspaces ? 1 : 2),
    ...(blobStore.check ? [{ name: 'blobs', run: async () => blobStore.check?.() }] : []),
    ...(audit.isEnabled ? [audit.healthCheck()] : []),
  ];
}
