import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { type Answer, type CallOptions, call } from './http.ts';

let commands = 0;
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A line of the log in its JSON form. */
type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string };

function program(source: string): string {
  const folder = inject('program');
  const isOurs = dirname(source) === dirname(MAIN);
  return folder === undefined || !isOurs ? source : join(folder, `${basename(source, '.ts')}.js`);
}

/** An executable file runs without Node.js. */
const started = (source: string): string[] =>
  /\.[jt]s$/.test(source) ? [process.execPath, program(source)] : [source];

/** A process of `lockkeeper`. */
export class Command {
  readonly process: ChildProcess;
  readonly #isWithin: boolean;
  #stdout = '';
  #stderr = '';
  readonly #ended: Promise<Finished>;

  /**
   * @param source entry point of the program; ours is run from the bundle of this test run, if there is one
   * (test/support/program.ts)
   * @param within wrapper that runs the command: its own arguments, then those of the command
   */
  constructor(
    args: readonly string[],
    environment: Record<string, string> = {},
    source = MAIN,
    within: readonly string[] = [],
  ) {
    this.#isWithin = within.length > 0;
    const { NODE_OPTIONS: _, ...inherited } = process.env;
    const [file = '', ...rest] = [...within, ...started(source), ...args];
    // Instead of the folder of the user who tests. The program creates it.
    const states = join(tmpdir(), `lockkeeper-states-${process.pid}-${++commands}`);
    this.process = spawn(file, rest, { env: { ...inherited, XDG_STATE_HOME: states, ...environment } });
    this.process.stdout?.on('data', (chunk) => {
      this.#stdout += chunk;
    });
    this.process.stderr?.on('data', (chunk) => {
      this.#stderr += chunk;
    });
    this.#ended = once(this.process, 'close').then(([code]) => {
      rmSync(states, { recursive: true, force: true });
      return { code, stdout: this.#stdout, stderr: this.#stderr };
    });
  }

  /** Returns the first line of standard output. Fails when the process ends without one. */
  firstLine(): Promise<string> {
    return this.lineWith('');
  }

  /** Returns the first line that contains this text. */
  async lineWith(wanted: string): Promise<string> {
    const lines = createInterface({ input: this.process.stdout as NodeJS.ReadableStream });
    const line = new Promise<string>((resolve) => {
      lines.on('line', (text) => text.includes(wanted) && resolve(text));
    });
    return Promise.race([
      line,
      this.#ended.then(({ code, stdout, stderr }) => {
        throw new Error(`ended with ${code} before a line was printed: ${stderr}${stdout}`);
      }),
    ]);
  }

  /** Waits until a started server reports that it is ready. @returns the URLs of its listeners */
  async ready(): Promise<readonly string[]> {
    return JSON.parse(await this.lineWith('"msg":"ready"')).addresses;
  }

  /** Returns the lines of a server's log with this text or name. */
  logged(message: string): LogLine[] {
    const whole = this.#stdout.split('\n').slice(0, -1);
    const lines = whole.filter((line) => line.includes(JSON.stringify(message)));
    return lines.map((line) => JSON.parse(line) as LogLine);
  }

  /** Everything printed so far on standard output. */
  get stdout(): string {
    return this.#stdout;
  }

  /** Standard error so far. */
  get stderr(): string {
    return this.#stderr;
  }

  ended(): Promise<Finished> {
    return this.#ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  /** Process ID of the program: of its log if another program runs it. */
  get pid(): number {
    const [, logged] = (this.#isWithin && /"pid":(\d+)/.exec(this.#stdout)) || [];
    return Number(logged ?? this.process.pid);
  }

  /** Kills the process like a power cut, unless it has ended. */
  async kill(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) process.kill(this.pid, 'SIGKILL');
    await this.#ended;
  }
}

/** Returns the tokens that `init` and `backup restore --revoke-tokens` print. */
export function tokensIn(text: string): { root: string; user: string } {
  const token = (name: string) => new RegExp(`^${name} token +(\\S+)`, 'm').exec(text)?.[1] ?? '';
  return { root: token('root'), user: token('user') };
}

/** Output of `lockkeeper dev --format json`. */
export interface DevLine {
  readonly sign_in_address: string;
  readonly address: string;
  readonly ca_file: string;
  readonly root_token: string;
  readonly user_token: string;
  readonly organization: string;
  readonly role: string;
  readonly client_cert_file: string;
  readonly client_key_file: string;
  readonly pid: number;
}

export interface DevServer {
  readonly command: Command;
  readonly line: DevLine;
  readonly certificate: { readonly pem: string; readonly keyPem: string };
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

/** Starts a demo on a free port, and waits until it responds. */
export async function startDev(
  folder: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<DevServer> {
  const all = ['dev', '--listen', '127.0.0.1:0', '--data', folder, '--format', 'json', ...args];
  const command = new Command(all, environment);
  const line = JSON.parse(await command.firstLine()) as DevLine;
  const server = { address: line.address, ca: readFileSync(line.ca_file, 'utf8') };
  return {
    command,
    line,
    certificate: {
      pem: readFileSync(line.client_cert_file, 'utf8'),
      keyPem: readFileSync(line.client_key_file, 'utf8'),
    },
    call: (method, path, options) => call(server, method, path, options),
  };
}
