import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../../support/command.ts';

const ROUNDS = 3;
const WRITERS = 8;

/** Creates workspaces until the server is gone, and records the name of each acknowledged one. */
async function write({ call, line }: DevServer, writer: string, acknowledged: string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (let i = 0; ; i++) {
      const name = `${writer}-${i}`;
      const body = { data: { type: 'workspaces', attributes: { name } } };
      const path = `/api/v2/organizations/${line.organization}/workspaces`;
      const { status } = await call('POST', path, { token: line.user_token, body, agent });
      if (status !== 201) throw new Error(`unexpected status ${status}`);
      acknowledged.push(name);
    }
  } catch (error) {
    if (!/ECONNRESET|ECONNREFUSED|socket hang up|EPIPE|aborted/.test(String(error))) throw error;
  } finally {
    agent.destroy();
  }
}

describe('a server that is killed at any moment', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'lockkeeper-kill-')), 'demo');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('keeps every write that it acknowledged', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startDev(folder);
      const before = acknowledged.length;
      const writers = Array.from({ length: WRITERS }, (_, i) => write(server, `r${round}w${i}`, acknowledged));
      // The kill follows a fixed number of acknowledgements instead of a fixed time, so it falls anywhere within a
      // write.
      const enough = before + 40 + Math.floor(Math.random() * 40);
      await expect.poll(() => acknowledged.length, { timeout: 20_000, interval: 1 }).toBeGreaterThan(enough);
      server.command.signal('SIGKILL');
      await Promise.all(writers);
      await server.command.ended();
    }
    const server = await startDev(folder);
    const missing: string[] = [];
    for (const name of acknowledged) {
      const path = `/api/v2/organizations/${server.line.organization}/workspaces/${name}`;
      const { status } = await server.call('GET', path, { token: server.line.user_token });
      if (status !== 200) missing.push(name);
    }
    expect(missing).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(ROUNDS * 40);
    server.command.signal('SIGTERM');
    await server.command.ended();
  });
});
