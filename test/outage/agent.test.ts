import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { childOf } from '../support/runner/children.ts';
import { Installation, soon } from '../support/runner/installation.ts';
import { Trial } from '../support/runner/trial.ts';

/** Duration of an apply: long enough for a state to be uploaded meanwhile. */
const SECONDS = 3;
const GONE = /^The agent agent-\d+ \(agent-\w+\) is lost\. Its progress is unknown\./;

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.start();
});
afterAll(() => installation.stop());

async function newTrial({ onTestFinished }: TestContext): Promise<Trial> {
  const trial = await Trial.start(installation, SECONDS);
  onTestFinished(() => trial.stop());
  return trial;
}

describe('an agent that is killed, and started again,', () => {
  const MOMENTS = [
    // No agent has started the job: the next agent takes it.
    ['when it has taken a job', 'POST plan start', 'before', 'applied'],
    ['while it plans', 'POST plan start', 'after', 'errored'],
    ['before it says what came of the plan', 'POST plan finish', 'before', 'errored'],
    ['between plan and apply', 'POST plan finish', 'after', 'applied'],
    ['before it begins to apply', 'POST apply start', 'before', 'applied'],
    ['before the first state', 'POST apply start', 'after', 'errored'],
    ['when it has sent a state', 'PUT state intermediate', 'after', 'errored'],
    ['when it has announced the last state', 'POST state-versions final', 'after', 'errored'],
    ['before the last state is stored', 'PUT state final', 'before', 'errored'],
    ['when the last state is stored', 'PUT state final', 'after', 'errored'],
    ['when it has said that it is done', 'POST apply finish', 'after', 'applied'],
  ] as const;

  test.concurrent.for(MOMENTS)('%s', async ([_name, request, when, expected], context) => {
    const trial = await newTrial(context);
    const { gate } = trial;
    const agent = trial.startAgent();
    const killed = gate.at(request, when, async () => {
      agent.signal('SIGKILL');
      await agent.ended();
    });
    const run = await trial.run();
    await killed;
    const next = trial.startAgent();
    const { status, log, reason, last } = await trial.endOf(run);
    expect(status, log).toBe(expected);
    const state = await installation.stateOf(trial.workspace);
    if (expected === 'applied') {
      expect(trial.applies(run)).toBe(1);
      expect(state.serial).toBeGreaterThan(0);
    } else {
      expect(trial.applies(run)).toBeLessThanOrEqual(1);
      expect(reason).toMatch(GONE);
      expect(last).toBe(reason);
    }
    // The acknowledged state is stored.
    const hasState = gate.asked.slice(0, gate.asked.lastIndexOf('POST agents')).includes('PUT state intermediate');
    if (hasState) expect(state).not.toBe(null);
    if (request === 'PUT state final' && when === 'before') {
      // The agent keeps the state that the server does not have, and finds it again.
      await soon(() => next.stderr.includes(`kept/${run}.tfstate`), 'the state that is kept');
      expect(reason).toContain(`kept/${run}.tfstate`);
    }
  });
});

/** Makes a plan take several seconds. */
const SLOW = { 'slow.tf': 'output "slow" { value = bcrypt("x", 15) }' };

/** Makes `init` of the engine wait for a module that never arrives. */
async function holding({ onTestFinished }: TestContext): Promise<Record<string, string>> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { 'held.tf': `module "held" { source = "http://127.0.0.1:${port}/held.zip" }` };
}

describe('an engine that is killed', () => {
  test.concurrent.for([
    ['while it initializes', 'init'],
    ['while it plans', 'plan'],
    ['while it applies', 'apply'],
  ])('%s', async ([_name, step], context) => {
    const trial = await newTrial(context);
    const agent = trial.startAgent();
    const held = await holding(context);
    const run = await trial.run(step === 'init' ? held : step === 'plan' ? SLOW : {});
    if (step === 'apply') await installation.untilLogged(run, 'apply', 'begun');
    const engine = await childOf(agent, new RegExp(`terraform\\S* ${step}( |$)`));
    process.kill(engine, 'SIGKILL');
    const { status, reason, last, log } = await trial.endOf(run);
    expect(status, log).toBe('errored');
    expect(reason).toMatch(/^The engine was killed from outside \(.*SIGKILL\) during "(init|plan|apply)"/);
    expect(last).toBe(`Error: ${reason}`);
    if (step === 'apply') expect(await installation.stateOf(trial.workspace)).not.toBe(null);
    // The agent continues with the next run.
    expect((await trial.endOf(await trial.run())).status).toBe('applied');
  });
});
