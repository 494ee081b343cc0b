import type { Sink } from './audit-sink.ts';
import { LineWriter } from './line-writer.ts';

const STDOUT = 1;

/** Standard output, which stays open. */
export class StdoutSink implements Sink {
  readonly #writer = new LineWriter();

  write(lines: readonly string[]): Promise<void> {
    return this.#writer.write(STDOUT, lines);
  }

  async reopen(): Promise<void> {}

  async close(): Promise<void> {}
}
