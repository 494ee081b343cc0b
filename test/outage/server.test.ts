import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Installation } from '../support/runner/installation.ts';
import { Trial } from '../support/runner/trial.ts';

const SECONDS = 2;

describe('a server that is killed, and started again,', () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await Installation.start();
  });
  afterAll(() => installation.stop());

  const MOMENTS = [
    ['before a job is begun', 'POST plan start', 'before'],
    ['when a job is begun', 'POST plan start', 'after'],
    ['while a log comes', 'PATCH plan log', 'after'],
    ['when it has the folder of the plan', 'PUT plan folder', 'after'],
    ['before it knows of the plan', 'POST plan finish', 'before'],
    ['when it knows of the plan', 'POST plan finish', 'after'],
    ['when the apply is begun', 'POST apply start', 'after'],
    ['before it has a state', 'PUT state intermediate', 'before'],
    ['when it has a state', 'PUT state intermediate', 'after'],
    ['before it has the last state', 'PUT state final', 'before'],
    ['when it has the last state', 'PUT state final', 'after'],
    ['before it knows of the end', 'POST apply finish', 'before'],
    ['when it knows of the end', 'POST apply finish', 'after'],
  ] as const;

  test.each(MOMENTS)('%s', async (_name, request, when) => {
    const trial = await Trial.start(installation, SECONDS);
    onTestFinished(() => trial.stop());
    trial.startAgent();
    const killed = trial.gate.at(request, when, async () => {
      await installation.endServer('SIGKILL');
      await installation.startServer();
    });
    const run = await trial.run();
    await killed;
    const { status, log } = await trial.endOf(run);
    expect(status, log).toBe('applied');
    expect(trial.applies(run)).toBe(1);
    expect(log.match(/begun/g)).not.toBe(null);
    expect(log).toContain('Apply complete!');
    expect((await installation.stateOf(trial.workspace)).serial).toBeGreaterThan(0);
  });
});
