import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { Audit, type AuditSinkOptions, type Metrics } from '../../src/server/index.ts';
import { createKeyringOf } from '../../src/storage/sealing.ts';

/** An audit record under keys of its own; without sinks there is none. */
export function openTestAudit(sinks: readonly AuditSinkOptions[], logger: Logger, metrics: Metrics): Promise<Audit> {
  const keyring = createKeyringOf({ encryption: new Map([[1, randomBytes(32)]]), hash: randomBytes(32) });
  return Audit.open({ sinks, keyring, logger, metrics });
}

/** The entries of an audit file, oldest first. */
export function auditEntries(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
