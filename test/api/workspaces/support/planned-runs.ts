import { expect } from 'vitest';
import type { TestAgent } from './agents.ts';
import type { TestRuns } from './runs.ts';

const ENGINE = { kind: 'opentofu', version: '1.10.7' };

/**
 * Plans a run that has changes to apply.
 * @param engine the engine that the agent reports; null for none
 * @returns the ID of the run
 */
export async function plannedRun(
  runs: TestRuns,
  agent: TestAgent,
  workspace: string,
  attributes: object = {},
  engine: object | null = ENGINE,
): Promise<string> {
  const run = await runs.run(workspace, attributes);
  const job = await agent.take();
  await job.start();
  await job.call('PUT', `/plans/${job.id}/folder`, { of: 'the plan' });
  expect((await job.finish('finished', { 'has-changes': true, ...(engine && { engine }) })).status).toBe(204);
  return run;
}
