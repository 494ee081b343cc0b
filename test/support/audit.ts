import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { Audit, type AuditSinkOptions, type Metrics } from '../../src/server/index.ts';
import { createKeyringOf } from '../../src/storage/sealing.ts';

/** Creates an audit log with its own keys. Without sinks it is disabled. */
export function openTestAudit(sinks: readonly AuditSinkOptions[], logger: Logger, metrics: Metrics): Promise<Audit> {
  const keyring = createKeyringOf({ encryption: new Map([[1, randomBytes(32)]]), hash: randomBytes(32) });
  return Audit.open({ sinks, keyring, logger, metrics });
}

/** Returns the entries of an audit file, oldest first. */
export function auditEntries(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
