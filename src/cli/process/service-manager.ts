import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from 'pino';

/** Number of keep-alive messages within the watchdog timeout. */
const SIGNS = 3;

/**
 * Notifies systemd of the state of this process, for units of `Type=notify`. The socket takes datagrams, which Node.js
 * cannot send, so it uses `systemd-notify`. Keep-alive messages come from the event loop, so that the watchdog detects
 * a blocked loop.
 * @see sd_notify(3)
 */
export class ServiceManager {
  readonly #socket: string;
  readonly #watchdogMs: number;
  readonly #logger: Logger;
  #signs: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isTelling = false;

  /** Undefined without systemd. Child processes do not inherit the socket. */
  static ofThisProcess(logger: Logger): ServiceManager | undefined {
    const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds, WATCHDOG_PID: pid } = process.env;
    for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete process.env[name];
    if (!socket) return undefined;
    const isForUs = pid === undefined || Number(pid) === process.pid;
    return new ServiceManager(socket, isForUs ? Number(microseconds ?? 0) / 1000 : 0, logger);
  }

  private constructor(socket: string, watchdogMs: number, logger: Logger) {
    this.#socket = socket;
    this.#watchdogMs = watchdogMs;
    this.#logger = logger;
  }

  /** Reports ready and starts keep-alive messages. */
  ready(): void {
    this.#tell('READY=1');
    if (this.#watchdogMs > 0) this.#signs = setInterval(() => this.#sign(), this.#watchdogMs / SIGNS).unref();
  }

  /** Reports stopping. Keep-alive messages continue until the exit. */
  stopping(): void {
    this.#tell('STOPPING=1');
  }

  /** Resolves when all messages were sent. */
  async ended(): Promise<void> {
    clearInterval(this.#signs);
    await this.#last;
  }

  #sign(): void {
    if (!this.#isTelling) this.#tell('WATCHDOG=1');
  }

  /** Sends messages in order. */
  #tell(what: string): void {
    this.#isTelling = true;
    const told = this.#last.then(() => this.#run(what));
    this.#last = told;
    void told.then(() => {
      if (this.#last === told) this.#isTelling = false;
    });
  }

  async #run(what: string): Promise<void> {
    const { PATH = '' } = process.env;
    try {
      const env = { PATH, NOTIFY_SOCKET: this.#socket };
      const child = spawn('systemd-notify', [what], { env, stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said = `${said}${chunk}`.slice(0, 1_000);
      });
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(said.trim() || `it exited with ${code}`);
    } catch (err) {
      this.#logger.error({ err, what }, 'systemd-notify failed, so systemd does not know the state of this server');
    }
  }
}
