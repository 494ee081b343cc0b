import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Command } from '../command.ts';
import { Gate } from './gate.ts';
import type { Installation } from './installation.ts';
import { type Ledger, realLedger } from './ledger.ts';

const ENDS = ['applied', 'errored', 'canceled', 'force_canceled', 'discarded', 'planned_and_finished'];

/** A workspace with its own agent, behind a gate. */
export class Trial {
  readonly installation: Installation;
  readonly gate: Gate;
  readonly folder: string;
  readonly ledger: Ledger;
  readonly agents: Command[] = [];
  readonly workspace: string;
  readonly #tokenFile: string;

  private constructor(
    installation: Installation,
    folder: string,
    parts: { gate: Gate; ledger: Ledger; workspace: string; tokenFile: string },
  ) {
    this.installation = installation;
    this.folder = folder;
    this.gate = parts.gate;
    this.ledger = parts.ledger;
    this.workspace = parts.workspace;
    this.#tokenFile = parts.tokenFile;
  }

  /** @param seconds duration of an apply */
  static async start(installation: Installation, seconds: number): Promise<Trial> {
    const folder = mkdtempSync(join(installation.folder, 'trial-'));
    const { id, tokenFile } = await installation.newPool();
    const workspace = await installation.workspace({ 'agent-pool-id': id });
    const gate = await Gate.open(installation);
    return new Trial(installation, folder, { gate, ledger: realLedger(folder, seconds), workspace, tokenFile });
  }

  /** The content is always the same. */
  startAgent(): Command {
    const place = ['--folder', join(this.folder, 'agent'), '--address', this.gate.address];
    const agent = this.installation.agent([...place, '--token-file', this.#tokenFile, ...this.ledger.args]);
    this.agents.push(agent);
    return agent;
  }

  /** @param more files of its configuration */
  run(more: Readonly<Record<string, string>> = {}): Promise<string> {
    return this.installation.run(this.workspace, { ...this.ledger.files, ...more });
  }

  /** Waits for any final status of a run, and returns it. */
  async endOf(run: string) {
    const { installation, workspace } = this;
    await installation.until(run, ...ENDS).catch((error) => {
      throw new Error(`${error.message}\n${this.gate.asked.join('\n')}\n${this.agents.at(-1)?.stderr}`);
    });
    const status = await installation.statusOf(run);
    const log = (await installation.logOf(run, 'apply')) || (await installation.logOf(run, 'plan'));
    const [action, reason] = (await installation.eventsOf(run)).at(-1) ?? [];
    expect(action).toBe(status);
    // The workspace is not left locked.
    expect(await installation.isLocked(workspace)).toBe(false);
    return { status, log, reason: reason ?? '', last: log.trimEnd().split('\n').at(-1) ?? '' };
  }

  /** Number of times that the engine applied a run. */
  applies(run: string): number {
    return this.ledger.applies().filter((one) => one === run).length;
  }

  async stop(): Promise<void> {
    for (const agent of this.agents) agent.signal('SIGKILL');
    await Promise.all(this.agents.map((agent) => agent.ended()));
    await this.gate.close();
  }
}
