import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type AgentOptions, HandedTokens, none } from '../../../src/runner/index.ts';
import type { JobServer } from './job-server.ts';
import { hasEngine } from './run.ts';

/** An agent that runs in this process. */
export interface RunningAgent {
  readonly agent: Agent;
  readonly tokens: HandedTokens;
  readonly folder: string;
  /** Log lines of the agent. */
  readonly lines: string[];
  readonly ended: Promise<void>;
}

/** Starts an agent of a server. Its engine is the installed Terraform for any requested version, or none. */
export function startAgent(server: JobServer, options: Partial<AgentOptions> = {}): RunningAgent {
  const lines: string[] = [];
  const tokens = new HandedTokens();
  tokens.hand(server.token);
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'agent-'));
  const say = (text: string, facts = {}): void => void lines.push(`${text} ${JSON.stringify(facts)}`);
  const agent = new Agent({
    server: { address: server.address, trust: null },
    credential: tokens,
    name: 'rack-7',
    slots: 1,
    isolation: none,
    engines: { folder: null, path: process.env.PATH ?? '', always: hasEngine ? '/usr/local/bin/terraform' : null },
    providers: null,
    providerCache: null,
    log: { info: say, warn: say },
    ...options,
    folder,
  });
  return { agent, tokens, folder, lines, ended: agent.run() };
}

/** Waits until the condition is true. @throws Error when it takes too long */
export async function until(isSo: () => boolean, what = 'it', seconds = 25): Promise<void> {
  for (let waited = 0; !isSo(); waited += 20) {
    if (waited > seconds * 1000) throw new Error(`${what} did not come about`);
    await sleep(20);
  }
}
