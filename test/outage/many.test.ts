import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Command } from '../support/command.ts';
import { Installation } from '../support/runner/installation.ts';
import { scriptedLedger } from '../support/runner/ledger.ts';
import { smallDisks } from '../support/small-disk.ts';

const RUNS = 50;
const WORKSPACES = 10;
const AGENTS = 4;
/** Duration of an apply, and the delay before the next agent is killed. */
const SECONDS = 1;
const EVERY = 2000;
const ENDS = ['applied', 'errored'];

const url = process.env.LOCKKEEPER_TEST_POSTGRES;
const STORAGES = [
  ['sqlite', '{ type: sqlite, directory: data }'],
  ...(url === undefined ? [] : [['postgres', `{ type: postgres, url: '${url}', blob_directory: blobs }`]]),
] as [string, string][];

describe.each(STORAGES)('runs on agents of which one is always being killed, on %s', (_name, storage) => {
  test.skipIf(!smallDisks)('all finish, with a reason, none is applied twice, and no state is lost', async () => {
    const installation = await Installation.start(undefined, undefined, storage);
    onTestFinished(() => installation.stop());
    const ledger = scriptedLedger(installation.folder, SECONDS);
    const agents: Command[] = [];
    const start = (n: number): void => {
      // Without a sandbox a plan is applied in the folder where it was created: each agent has its own folder at the
      // same path.
      const [own, place] = [join(installation.folder, `folder-${n}`), join(installation.folder, 'folder')];
      for (const folder of [own, place]) mkdirSync(folder, { recursive: true });
      const within = [...(smallDisks ?? []), 'sh', '-c', `mount --bind '${own}' '${place}' && exec "$@"`, 'sh'];
      const args = ['--folder', place, '--token-file', installation.tokenFile, ...ledger.args];
      agents[n] = installation.agent(args, {}, within);
    };
    const workspaces: string[] = [];
    for (let n = 0; n < WORKSPACES; n++) workspaces.push(await installation.workspace());
    const runs = new Map<string, string>();
    for (let n = 0; n < RUNS; n++) {
      const workspace = workspaces[n % WORKSPACES] ?? '';
      runs.set(await installation.run(workspace, ledger.files), workspace);
    }
    for (let n = 0; n < AGENTS; n++) start(n);

    const statuses = new Map<string, string>();
    for (let killed = 0; statuses.size < RUNS; killed++) {
      await sleep(EVERY);
      const n = killed % AGENTS;
      agents[n]?.signal('SIGKILL');
      await agents[n]?.ended();
      start(n);
      for (const run of runs.keys()) {
        if (statuses.has(run)) continue;
        const status = await installation.statusOf(run);
        if (ENDS.includes(status)) statuses.set(run, status);
      }
      expect(killed, [...statuses.values()].join(' ')).toBeLessThan(100);
    }

    const applies = ledger.applies();
    expect(new Set(applies).size, 'each apply was begun once').toBe(applies.length);
    for (const [run, status] of statuses) {
      if (status === 'applied') expect(applies).toContain(run);
      else expect((await installation.eventsOf(run)).at(-1)?.[1]).toMatch(/^The agent .* is lost\./);
    }
    for (const workspace of workspaces) {
      expect(await installation.isLocked(workspace)).toBe(false);
      const ofIt = [...statuses].filter(([run]) => runs.get(run) === workspace);
      const done = ofIt.filter(([, status]) => status === 'applied').map(([run]) => run);
      const state = await installation.stateOf(workspace);
      const said: string[] = state?.runs.trim().split(' ') ?? [];
      // Each state follows from the previous one: every acknowledged change is in all later states.
      expect(new Set(said).size).toBe(said.length);
      for (const run of done) expect(said).toContain(`${run}:done`);
    }
    expect([...statuses.values()].filter((status) => status === 'applied').length).toBeGreaterThan(0);
    console.log(`${[...statuses.values()].filter((one) => one === 'applied').length} of ${RUNS} were applied`);
  });
});
