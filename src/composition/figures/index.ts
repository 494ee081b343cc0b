/** What is told on the page of metrics beyond connections and requests. */
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Audit, Metrics, Readiness } from '../../server/index.ts';
import type { FileKeyring } from '../../storage/index.ts';
import type { Domains } from '../domains.ts';
import { BACKUP_FIGURES, registerBackups } from './backup-figures.ts';
import { CERTIFICATE_FIGURES, registerCertificates, type ServedCertificates } from './certificate-figures.ts';
import { KEYRING_FIGURES, registerKeyring } from './keyring-figures.ts';
import { NODE_FIGURES, registerNode } from './node-figures.ts';
import { REPLICATION_FIGURES, registerReplication } from './replication-figures.ts';
import { REVOCATION_FIGURES, registerRevocation } from './revocation-figures.ts';
import { RUN_FIGURES, registerRuns } from './run-figures.ts';
import { registerSignIns, SIGN_IN_FIGURES } from './sign-in-figures.ts';
import { registerWorkspaces, WORKSPACE_FIGURES } from './workspace-figures.ts';

export { ServedCertificates } from './certificate-figures.ts';
export {
  BACKUP_FIGURES,
  CERTIFICATE_FIGURES,
  KEYRING_FIGURES,
  NODE_FIGURES,
  REPLICATION_FIGURES,
  REVOCATION_FIGURES,
  RUN_FIGURES,
  SIGN_IN_FIGURES,
  WORKSPACE_FIGURES,
};

interface Parts {
  readonly config: Config;
  readonly domains: Domains;
  readonly audit: Audit;
  readonly readiness: Readiness;
  readonly served: ServedCertificates;
  readonly keyring: FileKeyring;
  readonly clock: Clock;
}

export function registerFigures(metrics: Metrics, { domains, served, keyring, clock, ...parts }: Parts): void {
  const { access, workspaces, databases } = domains;
  registerNode(metrics, { ...parts, databases });
  registerKeyring(metrics, keyring);
  registerReplication(metrics, databases);
  registerSignIns(metrics);
  registerCertificates(metrics, served, access);
  registerRevocation(metrics, access);
  registerRuns(metrics, workspaces);
  registerWorkspaces(metrics, workspaces);
  registerBackups(metrics, parts.config, databases.workspaces, clock);
}
