import { expect } from 'vitest';
import { agentsOf, byAgents, jobOf, type TestAgent, type TestJob } from './agents.ts';
import type { Caller } from './api.ts';
import type { Notifying } from './notifications.ts';
import { newOrganization } from './organization.ts';
import { plannedRun } from './planned-runs.ts';
import { runsOf } from './runs.ts';

const HOUR = 3_600_000;

/** Result that an agent reports for a plan without drift. */
export const FOUND = {
  ...{ 'resources-drifted': 0, 'resources-undrifted': 3 },
  ...{ 'checks-passed': 2, 'checks-failed': 0, 'checks-errored': 0, 'checks-unknown': 0 },
};

/** An organization with an agent. */
export interface Assessing extends Notifying {
  readonly pool: string;
  readonly agent: TestAgent;
}

export async function newAssessing({ api, receiver }: Pick<Notifying, 'api' | 'receiver'>): Promise<Assessing> {
  const acme = await newOrganization(api);
  const agents = agentsOf(api, acme);
  const pool = await agents.pool('first');
  return { api, receiver, acme, runs: runsOf(api, acme), pool, agent: await agents.agent(pool) };
}

/** Short functions for assessments. */
export function assessmentsOf(server: () => Assessing) {
  const sweep = async () => {
    await server().api.workspaces.execution.runReconciler.sweep();
    await server().agent.say('idle');
  };
  const applied = async (workspace: string) => {
    const { agent, runs } = server();
    const run = await plannedRun(runs, agent, workspace);
    await runs.act(run, 'apply');
    const job = await agent.take();
    expect(job.runId).toBe(run);
    await job.start();
    expect((await job.finish('finished')).status).toBe(204);
    return run;
  };
  const good = async (attributes: object = {}, name = 'one') => {
    const workspace = await server().runs.workspace(name, { ...byAgents(server().pool), ...attributes });
    return { workspace, run: await applied(workspace) };
  };
  const assess = (workspace: string, by: Caller = server().acme.owner) =>
    by.call('POST', `/workspaces/${workspace}/actions/assess`);
  const current = (workspace: string, by: Caller = server().acme.owner) =>
    by.call('GET', `/workspaces/${workspace}/current-assessment-result`);
  const finished = async (job: TestJob, attributes: object = {}) => {
    expect((await job.start()).status).toBe(204);
    const done = await job.finish('finished', { 'has-changes': false, ...FOUND, ...attributes });
    expect(done.status, done.text).toBe(204);
  };
  const assessed = async (workspace: string, attributes: object = {}) => {
    const begun = await assess(workspace);
    expect(begun.status, begun.text).toBe(200);
    const job = await server().agent.take();
    await finished(job, attributes);
    return { job, result: (await current(workspace)).body.data };
  };
  const nothingToDo = async () => expect((await server().agent.claim()).status).toBe(204);
  /** Executes the assessments that start within a day, each at once. */
  const inADay = async () => {
    const jobs: TestJob[] = [];
    for (let hour = 0; hour < 24; hour++) {
      server().api.advance(HOUR);
      await sweep();
      for (;;) {
        const { status, body } = await server().agent.claim();
        if (status !== 200) break;
        jobs.push(jobOf(server().api, body.data));
        await finished(jobs.at(-1) as TestJob);
      }
    }
    return jobs;
  };

  return { sweep, applied, good, assess, current, finished, assessed, nothingToDo, inADay };
}
