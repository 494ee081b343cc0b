import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from 'pino';

/** Signs of life go out that often within the time after which the manager gives up. */
const SIGNS = 3;

/**
 * Who has started this process and waits to be told how it is: systemd, for units of `Type=notify`. Its socket takes datagrams, which
 * Node.js does not send, so `systemd-notify` does. Where the event loop stands still there is no sign of life, which is what a watchdog
 * watches for.
 * @see sd_notify(3)
 */
export class ServiceManager {
  readonly #socket: string;
  readonly #watchdogMs: number;
  readonly #logger: Logger;
  #signs: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isTelling = false;

  /** Undefined where nobody waits. What this process starts is not told of it. */
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

  /** From now on there are signs of life. */
  ready(): void {
    this.#tell('READY=1');
    if (this.#watchdogMs > 0) this.#signs = setInterval(() => this.#sign(), this.#watchdogMs / SIGNS).unref();
  }

  /** Signs of life go on until the process ends. */
  stopping(): void {
    this.#tell('STOPPING=1');
  }

  /** Resolves when all that was told has been taken. */
  async ended(): Promise<void> {
    clearInterval(this.#signs);
    await this.#last;
  }

  #sign(): void {
    if (!this.#isTelling) this.#tell('WATCHDOG=1');
  }

  /** One thing after the other. */
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
      if (code !== 0) throw new Error(said.trim() || `it ended with ${code}`);
    } catch (err) {
      this.#logger.error({ err, what }, 'systemd-notify failed: the service manager does not know how this server is');
    }
  }
}
