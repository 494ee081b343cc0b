import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config/index.ts';
import { Audit, type Metrics, SERVER_FIGURES } from '../server/index.ts';
import type { Keyring } from '../storage/index.ts';

/**
 * Before anything is changed: a server that cannot keep its record does nothing.
 * @throws ConfigError
 */
export async function openAudit(config: Config, keyring: Keyring, metrics: Metrics, logger: Logger): Promise<Audit> {
  const { auditFile, auditSinks = [] } = config;
  const sinks = [...(auditFile ? [{ type: 'file', path: auditFile } as const] : []), ...auditSinks];
  const failures = metrics.counter(SERVER_FIGURES.auditFailures);
  return Audit.open({ sinks, keyring, logger, failures }).catch((error: Error) => {
    throw new ConfigError(`audit: ${error.message}`);
  });
}
