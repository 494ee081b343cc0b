import { createWriteStream } from 'node:fs';
import { relative } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Ended, Isolation, JobFolders, Running } from '../isolation/isolation.ts';
import { JobFailure } from '../ports.ts';
import type { JobProviders } from '../providers/job-providers.ts';
import type { Stopping } from '../stopping.ts';
import type { Timings } from '../timings.ts';

/** @limit what is kept of the errors of a step whose output is data, bytes -> the rest is passed over */
const MAX_ERRORS = 16_384;

/** @limit what a step says of its failure in the reason of a run, characters -> it is cut */
const MAX_REASON = 1000;

/** Follows which engine runs, so that the agent can kill the engine if this process ends first. */
export interface StepWatcher {
  began(step: string, running: Running): void;
  ended(step: string, running: Running): void;
}

/** Bytes at the end of the output of a step in which the runtime of Go would say that it was refused memory. */
const END_BYTES = 65_536;
/** Without a control group memory is refused to single processes: the kernel does not say so, the process does. */
const OUT_OF_MEMORY = /^(fatal error: (runtime: )?|runtime: )(out of memory|cannot allocate memory)/m;

/** Where the steps of a job are carried out. */
export interface Workplace {
  readonly isolation: Isolation;
  readonly here: JobFolders;
  readonly program: string;
  /** As the engine sees it. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The URL of the server that it may ask; null for none. */
  readonly server: string | null;
  /** Folders of this machine that it can read, where they are. */
  readonly readable: readonly string[];
  /** Null where providers are kept for no other job. */
  readonly providers: JobProviders | null;
  /** Undefined where nobody asks. */
  readonly timings: Timings | undefined;
  /** Undefined for a job that no other process watches. */
  readonly watcher: StepWatcher | undefined;
}

/** Runs an engine, once for each step. */
export class Steps {
  readonly #place: Workplace;
  readonly #stopping: Stopping;

  constructor(place: Workplace, stopping: Stopping) {
    this.#place = place;
    this.#stopping = stopping;
  }

  /**
   * A step that people read. When the job is stopped the engine is interrupted, and the step ends when it does.
   * @param take what it prints; awaited before more is read
   * @returns its exit code
   * @throws JobFailure when it was killed, or could not be started
   */
  async shown(args: readonly string[], take: (bytes: Buffer) => Promise<void>): Promise<number> {
    let end = '';
    const { code } = await this.#run(args, true, async (output) => {
      for await (const bytes of output) {
        end = (end + bytes.toString('latin1', Math.max(0, bytes.length - END_BYTES))).slice(-END_BYTES);
        await take(bytes);
      }
    });
    if (code !== 0 && OUT_OF_MEMORY.test(end)) throw new JobFailure(this.#outOfMemory());
    return code;
  }

  /**
   * Runs the step that fetches providers, as `shown` runs any other. The step executes code of the configuration, so
   * the agent exchanges packages with it only by hash.
   */
  async init(args: readonly string[], take: (bytes: Buffer) => Promise<void>): Promise<number> {
    const { providers, isolation, here, cwd } = this.#place;
    const folder = relative(isolation.engineFolders(here).work, cwd);
    const { interrupted } = this.#stopping;
    await providers?.before(folder, interrupted);
    const code = await this.shown(args, take);
    if (code === 0) await providers?.after(folder, interrupted);
    return code;
  }

  /**
   * A step that prints data.
   * @param limit bytes
   * @throws JobFailure when it does not end well, or prints more
   */
  async toFile(args: readonly string[], path: string, limit: number): Promise<void> {
    const { code, errors } = await this.#run(args, false, async (output, kill) => {
      const counted = async function* (): AsyncGenerator<Buffer> {
        let length = 0;
        for await (const bytes of output) {
          length += bytes.length;
          if (length > limit) throw new JobFailure(`"${args[0]}" prints more than ${limit} bytes`);
          yield bytes;
        }
      };
      await pipeline(counted, createWriteStream(path, { mode: 0o600 })).catch((error) => {
        kill();
        throw error;
      });
    });
    if (code !== 0) throw new JobFailure(`"${args[0]}" ended with ${code}: ${inOneLine(errors)}`);
  }

  #outOfMemory(): string {
    const { memory } = this.#place.isolation.settings.bounds;
    return `The engine, or a program that it started, ran out of memory: a job may have ${memory} MiB here (job_memory of the agent)`;
  }

  #run(args: readonly string[], isMerged: boolean, take: Take): Promise<RunEnd> {
    const run = () => this.#ran(args, isMerged, take);
    const { timings } = this.#place;
    return timings ? timings.measure(nameOf(args), run) : run();
  }

  async #ran(args: readonly string[], isMerged: boolean, take: Take): Promise<RunEnd> {
    this.#stopping.check();
    const { isolation, here, program, cwd, environment, server, providers, watcher } = this.#place;
    const readable = [...this.#place.readable, ...(providers?.readable ?? [])];
    const command = { program, args, cwd, environment, server, readable, isMerged };
    const running = isolation.start(command, here);
    watcher?.began(nameOf(args), running);
    const release = this.#stopWith(running);
    try {
      const [ended, errors] = await Promise.all([
        running.ended,
        beginning(running.errors),
        take(running.output, running.kill),
      ]);
      return { code: exitCode(ended, errors, args[0] ?? ''), errors };
    } finally {
      release();
      watcher?.ended(nameOf(args), running);
    }
  }

  #stopWith(running: Running): () => void {
    const { interrupted, killed } = this.#stopping;
    interrupted.addEventListener('abort', running.interrupt);
    killed.addEventListener('abort', running.kill);
    return () => {
      interrupted.removeEventListener('abort', running.interrupt);
      killed.removeEventListener('abort', running.kill);
    };
  }
}

type Take = (output: Readable, kill: () => void) => Promise<void>;
type RunEnd = { readonly code: number; readonly errors: string };

/** `init`, `plan`, `show`: what is behind it may be anything. */
const nameOf = ([name = '']: readonly string[]): string => (/^[a-z]{1,20}$/.test(name) ? name : 'engine');

/** All of it is read. */
async function beginning(stream: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const bytes of stream) {
    if (length < MAX_ERRORS) parts.push(bytes);
    length += bytes.length;
  }
  return Buffer.concat(parts).toString().slice(0, MAX_ERRORS).trim();
}

/** Without colours and frames. */
function inOneLine(errors: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
  const text = errors.replaceAll(/\u001b\[[\d;]*m|[│╷╵]/g, '').replaceAll(/\s+/g, ' ');
  return text.trim().slice(0, MAX_REASON) || 'it does not say why';
}

const SIGNALLED = 128;
/** Errors of the programs that start an engine. */
const BEFORE_ENGINE = /^(bwrap|unshare|(\/bin\/)?sh): /;

function exitCode({ code, signal }: Ended, errors: string, step: string): number {
  if (code !== 0 && BEFORE_ENGINE.test(errors)) throw new JobFailure(`The sandbox could not be started: ${errors}`);
  if (code === null || code > SIGNALLED) {
    const by = signal ?? `signal ${(code ?? SIGNALLED) - SIGNALLED}`;
    throw new JobFailure(`The engine was ended from outside (${by}) in "${step}": the machine may be out of memory`);
  }
  return code;
}
