import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Order, type Report, SIGN_OF_LIFE_MS } from './messages.ts';

/**
 * @limit heap of the process of a job, which reads the output of engines, MiB -> the run fails, and its log has the
 * reason
 */
export const HEAP_MB = 512;
/** @limit heartbeat timeout of a job process, ms -> the process is killed, and the run fails */
const MOST_SILENCE_MS = 120_000;
/**
 * @limit time that the process of a job may run after its report or after a request to stop, ms -> the process is
 * killed
 */
const LONGEST_END_MS = 5_000;
/** Characters of the end of stderr that are kept for the error message. */
const LAST_WORDS = 8_192;

/** This module is TypeScript in a clone and JavaScript in the package; the same holds for the worker. */
const WORKER = fileURLToPath(new URL(`job-worker${extname(import.meta.url)}`, import.meta.url));
/** Disables core dumps, which would contain secrets. */
const WITHOUT_DUMP = 'ulimit -c 0; exec "$0" "$@"';

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last characters of the process's stderr. */
  readonly lastWords: string;
}

/** The process of one job, from the agent's side. */
export class JobProcess {
  /** Resolves after the process has ended and its stderr is closed. */
  readonly ended: Promise<Ending>;
  readonly #process: ChildProcess;
  readonly #signs: NodeJS.Timeout;
  #lastWords = '';
  #silence = 0;

  constructor(hear: (report: Report) => void) {
    this.#process = spawn('/bin/sh', ['-c', WITHOUT_DUMP, process.execPath, WORKER], {
      // The process gets its own process group, so that a signal of the terminal reaches only the agent.
      detached: true,
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#process.on('message', (report: Report) => {
      this.#silence = 0;
      hear(report);
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = `${this.#lastWords}${text}`.slice(-LAST_WORDS);
    });
    this.#signs = setInterval(() => this.#missSign(), SIGN_OF_LIFE_MS);
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise.finally(() => clearInterval(this.#signs));
    this.#process.once('error', (error) => resolve({ code: null, signal: null, lastWords: error.message }));
    this.#process.once('close', (code, signal) => resolve({ code, signal, lastWords: this.#lastWords }));
  }

  send(order: Order): void {
    if (this.#process.connected) this.#process.send(order, () => {});
  }

  /** Kills the process unless it ends by itself within `LONGEST_END_MS`. */
  endSoon(): void {
    const late = setTimeout(() => this.#process.kill('SIGKILL'), LONGEST_END_MS);
    void this.ended.finally(() => clearTimeout(late));
  }

  /** Counts ticks of the timer instead of time, so that a machine that was suspended does not kill its jobs. */
  #missSign(): void {
    this.#silence += SIGN_OF_LIFE_MS;
    if (this.#silence > MOST_SILENCE_MS) this.#process.kill('SIGKILL');
  }
}

/** Passes options of Node.js by the environment, because the packaged executable takes none from its arguments. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS = '', ...rest } = process.env;
  const cache = getCompileCacheDir();
  return {
    ...rest,
    NODE_OPTIONS: `${NODE_OPTIONS} --max-old-space-size=${HEAP_MB}`,
    ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }),
  };
}
