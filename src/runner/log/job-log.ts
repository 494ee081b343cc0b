import { MAX_AGENT_LOG } from '../../lib/job/limits.ts';
import type { Outputs } from '../ports.ts';
import { LogMasking } from './log-masking.ts';
import type { Masking } from './masking.ts';

const STX = 0x02;
const ETX = 0x03;
const LINE_END = 0x0a;
const QUESTION_MARK = 0x3f;

/** The log of one job. Masks secrets, replaces the frame bytes STX and ETX, and limits the length. */
export class JobLog {
  readonly #output: Outputs['log'];
  readonly #masking: LogMasking;
  readonly #limit: number;
  #length = 0;
  #isInLine = false;
  #isLost = false;
  #sent: Promise<void> = Promise.resolve();

  constructor(output: Outputs['log'], masking: Masking, limit = MAX_AGENT_LOG) {
    this.#output = output;
    this.#masking = new LogMasking(masking);
    this.#limit = limit;
  }

  /** Whether the log could not be sent. After that nothing more is sent. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Adds secrets. @param secrets see `secretForms` */
  hide(secrets: readonly Buffer[]): void {
    this.#masking.hide(secrets);
  }

  /**
   * Writes output of an engine. Resolves after the bytes are sent; until then the caller should not read more
   * (back-pressure).
   */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#length > this.#limit) return;
    await this.#bounded(this.#masking.next(bytes));
  }

  /** Writes a line of the agent, even if the log has reached its limit. */
  async say(text: string): Promise<void> {
    await this.#bounded(this.#masking.end());
    const line = Buffer.concat([this.#masking.next(Buffer.from(`${text}\n`)), this.#masking.end()]);
    await this.#send(this.#isInLine ? Buffer.concat([Buffer.from('\n'), line]) : line);
  }

  /** Masks secrets in a text that is not part of the log. Call `end` before. */
  masked(text: string): string {
    return Buffer.concat([this.#masking.next(Buffer.from(text)), this.#masking.end()]).toString();
  }

  /** Sends the bytes that were held back. */
  async end(): Promise<void> {
    await this.#bounded(this.#masking.end());
  }

  async #bounded(bytes: Buffer): Promise<void> {
    const room = this.#limit - this.#length;
    if (room < 0 || bytes.length === 0) return;
    this.#length += bytes.length;
    if (bytes.length <= room) return await this.#send(bytes);
    await this.#send(bytes.subarray(0, room));
    const end = this.#isInLine ? '\n' : '';
    await this.#send(Buffer.from(`${end}The log is truncated here, after ${this.#limit} bytes. The run continues.\n`));
  }

  /** Sends one piece after the other, in the order of the calls. */
  async #send(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    this.#isInLine = bytes.at(-1) !== LINE_END;
    this.#sent = this.#sent.then(async () => {
      if (!this.#isLost) await this.#output(withoutFrames(bytes));
    });
    this.#sent = this.#sent.catch(() => {
      this.#isLost = true;
    });
    await this.#sent;
  }
}

/**
 * Replaces STX and ETX. The server frames a log with them, and readers take an ETX at the end of a piece for the end of
 * the log.
 */
function withoutFrames(bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === STX || bytes[at] === ETX) bytes[at] = QUESTION_MARK;
  }
  return bytes;
}
