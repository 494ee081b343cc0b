import { createWriteStream } from 'node:fs';
import { relative } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Ended, Isolation, JobFolders, Running } from '../isolation/isolation.ts';
import { JobFailure } from '../ports.ts';
import type { JobProviders } from '../providers/job-providers.ts';
import type { Stopping } from '../stopping.ts';
import type { Timings } from '../timings.ts';

/** @limit error output of a step whose output is data, bytes -> the rest is discarded */
const MAX_ERRORS = 16_384;

/** @limit error output of a step in the reason of a run, characters -> it is truncated */
const MAX_REASON = 1000;

/** Observes which engine runs, so that the agent can kill the engine if this process ends first. */
export interface StepWatcher {
  began(step: string, running: Running): void;
  ended(step: string, running: Running): void;
}

/** Bytes at the end of a step's output that are searched for out-of-memory errors of the Go runtime. */
const END_BYTES = 65_536;
/**
 * Without a control group, memory is limited for each process: the kernel reports nothing, so the output of the process
 * is the only sign.
 */
const OUT_OF_MEMORY = /^(fatal error: (runtime: )?|runtime: )(out of memory|cannot allocate memory)/m;

/** Environment in which the steps of a job run. */
export interface Workplace {
  readonly isolation: Isolation;
  readonly here: JobFolders;
  readonly program: string;
  /** Working directory, as the engine sees it. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** URL of the server that the engine may connect to; null for none. */
  readonly server: string | null;
  /** Folders of this machine that the engine can read, at the same paths. */
  readonly readable: readonly string[];
  /** Providers for this job; null without a provider cache. */
  readonly providers: JobProviders | null;
  /** Trace of the job; undefined without tracing. */
  readonly timings: Timings | undefined;
  /** Observer of the running engine; undefined if no other process watches the job. */
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
   * Runs a step whose output goes to the log. If the job is stopped, the engine is interrupted and the step waits for
   * its end.
   * @param take receives the output; awaited before more is read (back-pressure)
   * @returns the exit code
   * @throws JobFailure if the engine was killed or could not be started
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
   * Runs a step whose output is data, and writes it to a file.
   * @param limit bytes
   * @throws JobFailure if the exit code is not 0, or the output is larger
   */
  async toFile(args: readonly string[], path: string, limit: number): Promise<void> {
    const { code, errors } = await this.#run(args, false, async (output, kill) => {
      const counted = async function* (): AsyncGenerator<Buffer> {
        let length = 0;
        for await (const bytes of output) {
          length += bytes.length;
          if (length > limit) throw new JobFailure(`the output of "${args[0]}" is larger than ${limit} bytes`);
          yield bytes;
        }
      };
      await pipeline(counted, createWriteStream(path, { mode: 0o600 })).catch((error) => {
        kill();
        throw error;
      });
    });
    if (code !== 0) throw new JobFailure(`"${args[0]}" exited with code ${code}: ${inOneLine(errors)}`);
  }

  #outOfMemory(): string {
    const { memory } = this.#place.isolation.settings.bounds;
    return `The engine or a program that it started ran out of memory: a job may use ${memory} MiB here (job_memory of the agent)`;
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

/** Returns the subcommand, such as `init`, `plan` or `show`, without its arguments. */
const nameOf = ([name = '']: readonly string[]): string => (/^[a-z]{1,20}$/.test(name) ? name : 'engine');

/** Reads a stream to its end and returns its beginning. */
async function beginning(stream: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const bytes of stream) {
    if (length < MAX_ERRORS) parts.push(bytes);
    length += bytes.length;
  }
  return Buffer.concat(parts).toString().slice(0, MAX_ERRORS).trim();
}

/** Removes colors and frames, and joins the lines. */
function inOneLine(errors: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
  const text = errors.replaceAll(/\u001b\[[\d;]*m|[│╷╵]/g, '').replaceAll(/\s+/g, ' ');
  return text.trim().slice(0, MAX_REASON) || 'no error output';
}

const SIGNALLED = 128;
/** Prefixes of error messages of the programs that start an engine. */
const BEFORE_ENGINE = /^(bwrap|unshare|(\/bin\/)?sh): /;

function exitCode({ code, signal }: Ended, errors: string, step: string): number {
  if (code !== 0 && BEFORE_ENGINE.test(errors)) throw new JobFailure(`The sandbox did not start: ${errors}`);
  if (code === null || code > SIGNALLED) {
    const by = signal ?? `signal ${(code ?? SIGNALLED) - SIGNALLED}`;
    throw new JobFailure(
      `The engine was killed from outside (${by}) during "${step}": the machine may be out of memory`,
    );
  }
  return code;
}
