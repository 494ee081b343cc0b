import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Ran } from '../support/run.ts';

/** A running command. */
export interface Running {
  readonly process: ChildProcess;
  /** Returns the standard output so far. */
  printed(): string;
  readonly ended: Promise<Ran>;
}

export interface Surroundings {
  /** `tofu` or `terraform`: the path of the binary. */
  readonly program: string;
  /** Parent of new folders. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A folder with a configuration, and the command line that works on it. */
export class Project {
  readonly folder: string;
  readonly #surroundings: Surroundings;

  /** @param folder folder of another project; default: a new one */
  constructor(surroundings: Surroundings, files: Readonly<Record<string, string>>, folder?: string) {
    mkdirSync(surroundings.folder, { recursive: true });
    this.folder = folder ?? mkdtempSync(join(surroundings.folder, 'project-'));
    this.#surroundings = surroundings;
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  /** Returns a project for this folder in another environment. */
  with(environment: Readonly<Record<string, string>>): Project {
    const surroundings = { ...this.#surroundings, environment: { ...this.#surroundings.environment, ...environment } };
    return new Project(surroundings, {}, this.folder);
  }

  /** Path of a subfolder. */
  in(name: string): Project {
    return new Project(this.#surroundings, {}, join(this.folder, name));
  }

  write(name: string, content: string): void {
    writeFileSync(join(this.folder, name), content);
  }

  /** @param input the whole standard input; null when the test writes it later, through the process */
  start(args: readonly string[], input: string | null = ''): Running {
    const { program, environment } = this.#surroundings;
    const { PATH = '' } = process.env;
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { PATH, ...environment },
    });
    child.stdin.on('error', () => {});
    if (input !== null) child.stdin.end(input);
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    const ended = Promise.all([text(child.stderr), once(child, 'close')]);
    return {
      process: child,
      printed: () => stdout,
      ended: ended.then(([stderr, [code]]) => ({ code, stdout, stderr })),
    };
  }

  run(...args: string[]): Promise<Ran> {
    return this.start(args).ended;
  }

  has(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  /**
   * Returns the standard output of a command.
   * @throws Error when it fails
   */
  async done(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** Plans and applies without confirmation. */
  apply(...more: string[]): Promise<string> {
    return this.done(...APPLY, ...more);
  }
}

export const APPLY = ['apply', '-auto-approve', '-input=false', '-no-color'] as const;
