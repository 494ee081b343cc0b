import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../../../support/command.ts';
import { Installation, soon } from '../../../support/runner/installation.ts';

/**
 * An engine that plans and applies one resource, in place of Terraform. The file `act.sh` beside the configuration
 * contains the malicious part. The engine reads it at each step (`$1`); it may print, write and end the step. A run
 * without this file is honest.
 */
const ENGINE = `#!/bin/sh
state=$(ls -d ../states/* ../state 2>/dev/null | head -n 1)/terraform.tfstate
plan=../plan/tfplan
[ "$1" = version ] && { echo 'Terraform v1.11.4'; exit; }
[ -e act.sh ] && . ./act.sh
case $1 in
  plan) echo planned; echo x >$plan; exit 2;;
  show) echo '{"format_version":"1.2","resource_changes":[]}';;
  providers) echo '{"format_version":"1.0","provider_schemas":{}}';;
  apply)
    echo '{"version":4,"serial":1,"lineage":"honest","outputs":{},"resources":[]}' >$state
    echo 'Apply complete! Resources: 0 added, 0 changed, 0 destroyed.';;
esac
`;

/** Maximum duration of a run on a busy machine, in seconds. */
const LONGEST = 150;
const ENDS = ['applied', 'planned_and_finished', 'errored', 'canceled', 'force_canceled', 'discarded'];

/** Result of a run. The reason is the last line of its log, which contains the error of a failed run. */
export interface Outcome {
  readonly status: string;
  readonly log: string;
  readonly reason: string;
}

/**
 * One server, and one agent with two slots that all workspaces share. A malicious configuration runs beside an honest
 * one.
 */
export class SharedAgent {
  readonly installation: Installation;
  /** Folder of the agent for the files of jobs. */
  readonly folder: string;
  readonly #engine: string;
  readonly #args: readonly string[];
  #agent: Command;
  #honest = 0;

  private constructor(installation: Installation, args: readonly string[] | ((engine: string) => readonly string[])) {
    this.installation = installation;
    this.folder = join(installation.folder, 'shared-agent');
    mkdirSync(join(installation.folder, 'engine'));
    this.#engine = join(installation.folder, 'engine', 'terraform');
    writeFileSync(this.#engine, ENGINE, { mode: 0o755 });
    this.#args = typeof args === 'function' ? args(this.#engine) : args;
    this.#agent = this.#startAgent();
  }

  /**
   * @param args additional arguments of the agent: the isolation or the location of its jobs; some depend on the
   * engine
   */
  static async start(
    args: readonly string[] | ((engine: string) => readonly string[]) = ['--isolation', 'none'],
  ): Promise<SharedAgent> {
    return new SharedAgent(await Installation.start(), args);
  }

  get pid(): number {
    return this.#agent.process.pid ?? 0;
  }

  /** Returns whether the process of the agent still runs. */
  get isAlive(): boolean {
    return this.#agent.process.exitCode === null && this.#agent.process.signalCode === null;
  }

  /** Log of the agent so far. */
  get said(): string {
    return this.#agent.stderr;
  }

  /** Peak memory of the agent's process, in bytes. */
  get peakMemory(): number {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  }

  /** Waits until the agent's log contains this text. */
  async saysSoon(text: string): Promise<void> {
    await soon(() => this.said.includes(text), `${text} in ${this.said}`);
  }

  /** Returns the IDs of the processes that the agent has started for jobs. */
  jobProcesses(): number[] {
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8').trim().split(' ');
    return children.map(Number).filter((pid) => pid > 0 && commandOf(pid).includes('job-worker'));
  }

  static hasProcess(pid: number): boolean {
    return commandOf(pid) !== '';
  }

  /** Returns the folders that the agent is removing, or could not remove. */
  discarded(): string[] {
    return readdirSync(this.folder).filter((name) => name.startsWith('discarded-'));
  }

  /**
   * Kills the agent as a power cut would, and starts it again in the same folder. @param meanwhile change of that
   * folder between the two
   */
  async restart(meanwhile: () => void = () => {}): Promise<void> {
    this.#agent.signal('SIGKILL');
    await this.#agent.ended();
    meanwhile();
    this.#agent = this.#startAgent();
  }

  /** Queues a run in its own workspace. @param act script of each step, see `ENGINE`; empty for an honest run */
  async queue(act?: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
    const acting = act === undefined ? {} : { 'act.sh': act };
    return await this.installation.run(await this.installation.workspace(), { 'main.tf': '', ...acting, ...files });
  }

  /** Waits until a run has a final status. */
  async outcomeOf(run: string): Promise<Outcome> {
    const { installation } = this;
    await soon(async () => ENDS.includes(await installation.statusOf(run)), `the end of ${run}`, LONGEST);
    const log = (await installation.logOf(run, 'apply')) || (await installation.logOf(run, 'plan'));
    return { status: await installation.statusOf(run), log, reason: log.trimEnd().split('\n').at(-1) ?? '' };
  }

  /**
   * Starts an honest run whose apply waits until `end` is called, so that other runs execute beside it.
   * @returns its id, once it applies; and `end`, which resolves to its outcome
   */
  async honestRun(): Promise<{ readonly id: string; end(): Promise<Outcome> }> {
    const sign = join(this.installation.folder, `go-on-${++this.#honest}`);
    const waits = `[ $1 = apply ] && { echo begun; while [ ! -e '${sign}' ]; do sleep 0.1; done; }`;
    const id = await this.queue(waits);
    await this.installation.untilLogged(id, 'apply', 'begun');
    return {
      id,
      end: async () => {
        writeFileSync(sign, '');
        return await this.outcomeOf(id);
      },
    };
  }

  /** Folder in which the agent keeps the state of a run that no server has accepted. Null for none. */
  keptState(run: string): string | null {
    const path = join(this.folder, 'kept', `${run}.tfstate`);
    return existsSync(path) ? path : null;
  }

  async stop(): Promise<void> {
    await this.installation.stop();
  }

  #startAgent(): Command {
    const place = ['--folder', this.folder, '--token-file', this.installation.tokenFile, '--slots', '2'];
    const engine = this.#args.includes('--config') ? [] : ['--engine', this.#engine];
    return this.installation.agent([...place, ...engine, ...this.#args]);
  }
}

/** Returns an empty text for a missing process or a zombie. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
