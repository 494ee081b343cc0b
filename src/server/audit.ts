import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Logger } from 'pino';
import type { RequestRecord } from './exchange.ts';

/** Where the audit record goes. */
export interface AuditSink {
  /** Records are kept in the order given. */
  record(record: RequestRecord): void;
  /** Resolves when everything recorded is on the disk. */
  close(): Promise<void>;
}

/**
 * One JSON line for each request, appended to a file that only its owner can read.
 * @throws when the file cannot be opened
 */
export async function openAuditFile(path: string, logger: Logger): Promise<AuditSink> {
  const file = await open(path, 'a', 0o600);
  const stream = file.createWriteStream({ flush: true });
  stream.on('error', (err) => logger.error({ err }, 'the audit record cannot be written'));
  return {
    record: (record) => void stream.write(`${JSON.stringify(auditLine(record))}\n`),
    async close() {
      stream.end();
      await finished(stream);
      if (!stream.closed) await once(stream, 'close');
    },
  };
}

function auditLine(record: RequestRecord): Record<string, unknown> {
  const actor = Object.entries(record.fields)
    .filter(([field]) => field.startsWith('actor'))
    .map(([field, value]) => [field, String(value)]);
  return {
    time: new Date().toISOString(),
    request_id: record.requestId,
    service: record.service,
    method: record.method,
    path: record.path,
    status: record.status,
    remote_address: record.remoteAddress,
    ...Object.fromEntries(actor),
  };
}
