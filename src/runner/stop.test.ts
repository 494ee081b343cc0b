import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scripted } from '../../test/support/runner/engine.ts';
import {
  executeTrial,
  hasEngine,
  isolations,
  type Outcome,
  planAndApply,
  type Trial,
} from '../../test/support/runner/run.ts';

const EACH = isolations.map((isolation) => ({ name: isolation.name, isolation }));
const SLEEPS = `
resource "terraform_data" "first" {}
resource "terraform_data" "second" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" { command = "echo n''ow; sleep 300 & wait" }
}
`;
const FIRST = ['terraform_data.first'];

/** A server that never responds. */
const silent = createServer();
let asked = Promise.withResolvers<void>();
silent.on('request', () => asked.resolve());
let address = '';

beforeAll(async () => {
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
});

afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

describe.skipIf(!hasEngine).each(EACH)('a run that is stopped, isolation $name (needs terraform)', ({ isolation }) => {
  test.each([
    ['init', () => `module "m" { source = "${address}/module.zip" }`],
    ['plan', () => `data "terraform_remote_state" "x" {\n  backend = "http"\n  config = { address = "${address}" }\n}`],
  ])('in %s ends as canceled', async (_, main) => {
    asked = Promise.withResolvers();
    const stop = new AbortController();
    void asked.promise.then(() => stop.abort());
    const outcome = await executeTrial({
      isolation,
      files: { 'main.tf': main() },
      interrupt: stop.signal,
      parts: { grace: 1 },
    });
    expect(outcome.end, outcome.log).toMatchObject({ kind: 'canceled' });
    expect(outcome.log).toMatch(/The run was (force-)?canceled\.\n$/);
    expect(outcome.states).toEqual([]);
  });

  test('during an apply uploads the partial state', async () => {
    const { apply } = await stopped({ isolation, files: { 'main.tf': SLEEPS } }, 'interrupt');
    expect(apply.end, apply.log).toEqual({ kind: 'canceled', isForced: false });
    expect(apply.log).toContain('nterrupt');
    expect(apply.states.at(-1)?.isLast).toBe(true);
    expect(addressesIn(apply)).toEqual(expect.arrayContaining(FIRST));
  });

  test('by a force-cancel uploads the partial state', async () => {
    const { apply } = await stopped({ isolation, files: { 'main.tf': SLEEPS } }, 'kill');
    expect(apply.end, apply.log).toEqual({ kind: 'canceled', isForced: true });
    expect(apply.states.at(-1)?.isLast).toBe(true);
    expect(addressesIn(apply)).toEqual(FIRST);
  });

  test('by its timeout says so', async () => {
    const { apply } = await planAndApply({ isolation, files: { 'main.tf': SLEEPS } }, { job: { timeout: 2 } });
    expect(apply.end, apply.log).toEqual({ kind: 'failed', reason: 'Applying took longer than 2 s and was stopped' });
    expect(apply.log).toMatch(/Error: Applying took longer than 2 s and was stopped\n$/);
    expect(addressesIn(apply)).toEqual(expect.arrayContaining(FIRST));
  });

  test('whose engine is killed from outside uploads the partial state', async () => {
    const main = SLEEPS.replace("echo n''ow; sleep 300 & wait", 'kill -9 $PPID; sleep 300');
    const { apply } = await planAndApply({ isolation, files: { 'main.tf': main } });
    expect(apply.end, apply.log).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('killed from outside'),
    });
    expect(apply.states.at(-1)?.isLast).toBe(true);
    expect(addressesIn(apply)).toEqual(expect.arrayContaining(FIRST));
  });

  test('uploads states during the apply', async () => {
    const seen = Promise.withResolvers<void>();
    const states: boolean[] = [];
    const { apply } = await stopped({ isolation, files: { 'main.tf': SLEEPS } }, 'interrupt', seen.promise, {
      async state(_version, isLast) {
        states.push(isLast);
        seen.resolve();
      },
    });
    expect(apply.end, apply.log).toMatchObject({ kind: 'canceled' });
    expect(states[0]).toBe(false);
    expect(states.at(-1)).toBe(true);
  });

  test('keeps a state that cannot be uploaded', async () => {
    const { apply } = await planAndApply(
      { isolation, files: { 'main.tf': 'resource "terraform_data" "first" {}' } },
      {
        outputs: {
          async state() {
            throw new Error('no network');
          },
        },
      },
    );
    expect(apply.end).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/could not be uploaded \(no network\)\. The agent keeps it in \/.*\.tfstate$/),
    });
  });
});

describe.each(EACH)('an engine, isolation $name', ({ isolation }) => {
  test('that ignores the interrupt is killed after the grace period', async () => {
    const stop = new AbortController();
    const { engines, engine } = scripted("trap 'echo no' INT; echo began; while :; do sleep 0.1; done");
    const { end, log } = await executeTrial({
      isolation,
      files: { 'main.tf': '' },
      job: { engine },
      parts: { engines, grace: 1 },
      interrupt: stop.signal,
      onLog: (text) => text.includes('began') && stop.abort(),
    });
    expect(end, log).toEqual({ kind: 'canceled', isForced: true });
    expect(log.match(/no/g)).toHaveLength(1);
  });

  test('does not start for a job that was stopped before', async () => {
    const { engines, engine } = scripted('echo began');
    const { end, log } = await executeTrial({
      isolation,
      job: { engine },
      parts: { engines },
      interrupt: AbortSignal.abort(),
    });
    expect(end).toMatchObject({ kind: 'canceled' });
    expect(log).not.toContain('began');
  });

  test('does not wait for background processes', async () => {
    const { engines, engine } = scripted('sleep 300 & echo "$1 done"; [ "$1" = init ]');
    const { end, log } = await executeTrial({
      isolation,
      files: { 'main.tf': '' },
      job: { engine },
      parts: { engines },
    });
    expect(end, log).toMatchObject({ kind: 'finished', step: 'plan', exit: 1 });
  });
});

test.each<[string, string, string, string?]>([
  ['cannot show its plan', 'echo "Error: no such plan" >&2; exit 3', '"show" exited with code 3: Error: no such plan'],
  ['prints no JSON for its plan', 'echo no JSON', '"show" did not print JSON'],
  ['leaves no plan', ':', 'left no plan', 'exit 0'],
  [
    'runs out of memory',
    ':',
    'ran out of memory: a job may use 4096 MiB here (job_memory of the agent)',
    'echo "fatal error: out of memory"; exit 2',
  ],
])('an engine that %s ends its job with a reason', async (_, show, reason, plan = 'echo x >../plan/tfplan; exit 2') => {
  const { engines, engine } = scripted(`case $1 in plan) ${plan};; show) ${show};; esac`);
  const { end, log } = await executeTrial({ files: { 'main.tf': '' }, job: { engine }, parts: { engines } });
  expect(end, log).toEqual({ kind: 'failed', reason: expect.stringContaining(reason) });
});

/** Plans and applies, and stops the apply while it sleeps. */
async function stopped(
  trial: Trial,
  how: 'interrupt' | 'kill',
  until: Promise<void> = Promise.resolve(),
  outputs: NonNullable<Trial['outputs']> = {},
): Promise<{ plan: Outcome; apply: Outcome }> {
  const stop = new AbortController();
  return await planAndApply(trial, {
    [how]: stop.signal,
    outputs,
    onLog: (log) => log.includes('now') && void until.then(() => stop.abort()),
  });
}

const addressesIn = ({ states, log }: Outcome): string[] => {
  const { resources } = JSON.parse(states.at(-1)?.version.bytes.toString() ?? `{"resources":[],"log":${log}}`);
  return resources.map(({ type, name }: { type: string; name: string }) => `${type}.${name}`);
};
