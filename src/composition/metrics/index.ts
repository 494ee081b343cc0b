/** Metrics beyond connections and requests. */
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Audit, Metrics, Readiness } from '../../server/index.ts';
import type { FileKeyring } from '../../storage/index.ts';
import type { Background } from '../background/compose-background.ts';
import type { Domains } from '../domains.ts';
import { BACKGROUND_METRICS, registerBackground } from './background-metrics.ts';
import { BACKUP_METRICS, registerBackups } from './backup-metrics.ts';
import { CERTIFICATE_METRICS, registerCertificates, type ServedCertificates } from './certificate-metrics.ts';
import { KEYRING_METRICS, registerKeyring } from './keyring-metrics.ts';
import { NODE_METRICS, registerNode } from './node-metrics.ts';
import { REPLICATION_METRICS, registerReplication } from './replication-metrics.ts';
import { REVOCATION_METRICS, registerRevocation } from './revocation-metrics.ts';
import { RUN_METRICS, registerRuns } from './run-metrics.ts';
import { registerSignIns, SIGN_IN_METRICS } from './sign-in-metrics.ts';
import { registerVcs, VCS_METRICS } from './vcs-metrics.ts';
import { registerWorkspaces, WORKSPACE_METRICS } from './workspace-metrics.ts';

export { ServedCertificates } from './certificate-metrics.ts';
export {
  BACKGROUND_METRICS,
  BACKUP_METRICS,
  CERTIFICATE_METRICS,
  KEYRING_METRICS,
  NODE_METRICS,
  REPLICATION_METRICS,
  REVOCATION_METRICS,
  RUN_METRICS,
  SIGN_IN_METRICS,
  VCS_METRICS,
  WORKSPACE_METRICS,
};

interface Parts {
  readonly config: Config;
  readonly domains: Domains;
  readonly audit: Audit;
  readonly readiness: Readiness;
  readonly served: ServedCertificates;
  readonly keyring: FileKeyring;
  readonly clock: Clock;
  readonly background: Background;
}

export function registerMetrics(
  metrics: Metrics,
  { domains, served, keyring, clock, background, ...parts }: Parts,
): void {
  const { access, workspaces, databases } = domains;
  registerNode(metrics, { ...parts, databases });
  registerKeyring(metrics, keyring);
  registerReplication(metrics, databases);
  registerSignIns(metrics);
  registerCertificates(metrics, served, access);
  registerRevocation(metrics, access);
  registerRuns(metrics, workspaces);
  registerVcs(metrics, workspaces);
  registerWorkspaces(metrics, workspaces);
  registerBackground(metrics, background);
  registerBackups(metrics, parts.config, databases.workspaces, clock);
}
