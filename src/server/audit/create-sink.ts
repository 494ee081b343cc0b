import type { Sink } from './audit-sink.ts';
import { BufferedSink, type BufferOptions, type DeliveryListeners } from './delivery/buffered-sink.ts';
import { HttpReceiver } from './delivery/http-receiver.ts';
import type { ReceiverSecrets } from './delivery/receiver-secrets.ts';
import { SyslogReceiver } from './delivery/syslog-receiver.ts';
import { type FileLoss, FileSink } from './file-sink.ts';
import { LineWriter } from './line-writer.ts';
import type { Facility } from './syslog-message.ts';
import { type SyslogAddress, syslogSink } from './syslog-sinks.ts';

/** Credentials and buffer of a collector. */
interface Collected {
  readonly buffer: BufferOptions;
  /** Reads the credentials of a collector at start and on reopen. @throws system errors */
  readonly secrets: () => Promise<ReceiverSecrets>;
}

/** Creates an audit sink. */
export type AuditSinkOptions =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'stdout' }
  | { readonly type: 'syslog'; readonly address: SyslogAddress; readonly facility: Facility }
  | ({
      readonly type: 'syslog';
      readonly address: Exclude<SyslogAddress, { transport: 'udp' }>;
      readonly isTls: boolean;
      readonly facility: Facility;
    } & Collected)
  | ({ readonly type: 'http'; readonly url: string; readonly tokenHeader: string; readonly gzip: boolean } & Collected);

/** Observers of the delivery of accepted lines. */
export interface SinkListeners extends DeliveryListeners {
  readonly lost: (loss: FileLoss) => void;
}

export function createSink(sink: AuditSinkOptions, { lost, ...told }: SinkListeners): Sink {
  if (sink.type === 'file') return new FileSink(sink.path, lost);
  if (sink.type === 'stdout') return new StdoutSink();
  if (sink.type === 'http') return new BufferedSink(sink.buffer, new HttpReceiver(sink), told);
  if (!('buffer' in sink)) return syslogSink(sink.address, sink.facility);
  const { address, isTls, facility, secrets } = sink;
  const target = address.transport === 'unix' ? { path: address.path } : { host: address.host, port: address.port };
  return new BufferedSink(sink.buffer, new SyslogReceiver({ target, isTls, facility, secrets }), told);
}

const STDOUT = 1;

/** Standard output, which stays open. */
class StdoutSink implements Sink {
  readonly #writer = new LineWriter();

  write(lines: readonly string[]): Promise<void> {
    return this.#writer.write(STDOUT, lines);
  }

  async reopen(): Promise<void> {}

  async close(): Promise<void> {}
}
