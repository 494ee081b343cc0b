import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import { agentsOf, byAgents, jobOf, type TestAgent, type TestJob } from '../../support/agents.ts';
import type { Answer, TestApi } from '../../support/api.ts';
import { type Notifying, notificationsOf, startNotifying } from '../../support/notifications.ts';
import { newOrganization } from '../../support/organization.ts';
import { runTasksOf } from '../../support/run-tasks.ts';
import { runsOf } from '../../support/runs.ts';
import { worker } from '../../support/states.ts';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
/** One sequence for each. IDs and concurrent actions make a sequence differ a little each time. */
const SEEDS = [304, 317];
const STEPS = 300;
/** Ends of runs that the sequences reach many times. */
const ENDS = ['applied', 'canceled', 'discarded', 'errored', 'planned_and_finished'];

const REACHED = sql<Record<string, never>, { status: string }>('SELECT DISTINCT status FROM run');
const UNFINISHED = sql<Record<string, never>, { id: string; status: string; canceledAt: number | null }>(
  'SELECT id, status, canceled_at AS "canceledAt" FROM run WHERE finished_at IS NULL ORDER BY id',
);
/** Rows that contradict one another, each with the rule that it breaks. */
const BROKEN = sql<Record<string, never>, { rule: string; id: string }>(
  `SELECT 'a run that is over keeps the lock' AS rule, w.id FROM workspace w WHERE w.lock_holder_type = 'runs'
     AND NOT EXISTS (SELECT 1 FROM run r WHERE r.id = w.lock_holder_id AND r.finished_at IS NULL AND r.active = 1)
   UNION ALL SELECT 'a run waits for a free workspace', r.id FROM run r JOIN workspace w ON w.id = r.workspace_id
     WHERE r.waits = 1 AND w.lock_holder_id IS NULL
     AND NOT EXISTS (SELECT 1 FROM run a WHERE a.workspace_id = w.id AND a.active = 1)
   UNION ALL SELECT 'a deleted workspace has an unfinished run', r.id FROM run r JOIN workspace w ON w.id = r.workspace_id
     WHERE w.name >= '~' AND r.finished_at IS NULL
   UNION ALL SELECT 'a run that is over has an open plan or apply', r.id FROM run r JOIN run_phase p ON p.run_id = r.id
     WHERE r.finished_at IS NOT NULL AND p.status IN ('pending', 'queued', 'running')
   UNION ALL SELECT 'a run that is over has an open stage', r.id FROM run r JOIN task_stage s ON s.run_id = r.id
     WHERE r.finished_at IS NOT NULL AND s.status IN ('pending', 'running')
   UNION ALL SELECT 'a run that is over has an agent', r.id FROM run r
     WHERE r.finished_at IS NOT NULL AND (r.agent_id IS NOT NULL OR r.active = 1 OR r.waits = 1 OR r.queued = 1)
   UNION ALL SELECT 'a request of a run that is over is due', r.id FROM run r JOIN task_stage s ON s.run_id = r.id
     JOIN task_result t ON t.stage_id = s.id WHERE r.finished_at IS NOT NULL AND t.due_at IS NOT NULL`,
);

/** Returns numbers from 0 to 1, always the same ones for a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe.each(databaseKinds)('random sequences of actions on runs, on %s', (kind) => {
  let started: Notifying;
  let api: TestApi;
  let receiver: Receiver;
  beforeAll(async () => {
    started = await startNotifying(kind);
    ({ api, receiver } = started);
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });

  test.each(SEEDS)(
    'no request fails, and no run keeps what it holds: sequence %i',
    { timeout: 300_000 },
    async (seed) => {
      const acme = await newOrganization(api);
      const server = { api, receiver, acme, runs: runsOf(api, acme) };
      const tasks = runTasksOf(() => server);
      const notifications = notificationsOf(() => server);
      const { runs } = server;
      const { owner } = acme;
      const { execution } = api.workspaces;
      const agents = agentsOf(api, acme);
      const pool = await agents.pool('first');
      const team: TestAgent[] = [await agents.agent(pool), await agents.agent(pool)];
      const random = randomOf(seed);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
      const chance = (part: number) => random() < part;

      const log: string[] = [];
      const workspaces: string[] = [];
      const made: string[] = [];
      const jobs: TestJob[] = [];
      const paths: string[] = [];
      let serial = 0;
      let names = 0;

      function checked(what: string, answer: Answer): Answer {
        log.push(`${what}: ${answer.status}`);
        expect(answer.status, `${log.slice(-12).join('\n')}\n${answer.text}`).toBeLessThan(500);
        return answer;
      }

      async function newWorkspace(): Promise<void> {
        const isOurs = chance(0.6);
        const id = await runs.workspace(`s${seed}-${++names}`, {
          'allow-destroy-plan': true,
          'auto-apply': chance(0.3),
          'auto-apply-run-trigger': chance(0.5),
          ...(isOurs && byAgents(pool)),
        });
        if (chance(0.5)) {
          const stages = ['pre_plan', 'post_plan', 'pre_apply', 'post_apply'].filter(() => chance(0.5));
          const level = chance(0.7) ? 'mandatory' : 'advisory';
          if (stages.length > 0) paths.push((await tasks.judge(id, stages, level)).path);
        }
        await notifications.create(id, notifications.attributesFor(notifications.newPath()));
        const source = workspaces.at(-1);
        if (source !== undefined) {
          const sourceable = { data: { type: 'workspaces', id: source } };
          const body = { data: { type: 'run-triggers', relationships: { sourceable } } };
          checked('trigger', await owner.call('POST', `/workspaces/${id}/run-triggers`, body));
        }
        workspaces.push(id);
      }
      for (let i = 0; i < 4; i++) await newWorkspace();

      const kindsOfRun: readonly object[] = [
        {},
        {},
        { 'auto-apply': true },
        { 'plan-only': true },
        { 'save-plan': true },
        { 'is-destroy': true },
        { 'allow-empty-apply': true },
        { 'refresh-only': true },
        { 'save-plan': true, 'auto-apply': true },
      ];
      const newest = () => pick(made.slice(-6));
      /** Executor's or user's next step of a run that succeeds. */
      const NEXT_STEP: Readonly<Record<string, string>> = {
        plan_queued: 'planning',
        planning: 'planned',
        planned: 'apply',
        post_plan_completed: 'apply',
        planned_and_saved: 'apply',
        apply_queued: 'applying',
        applying: 'applied',
        pending: 'force-execute',
      };
      const unfinished = async () => pick(await api.workspaces.database.all(UNFINISHED, {}));
      async function answerTask(passes: number): Promise<void> {
        await tasks.ask();
        const request = pick(paths.flatMap((path) => tasks.askedAt(path).slice(-1)));
        if (request === undefined) return;
        const status = chance(passes) ? 'passed' : pick(['failed', 'running']);
        checked(`task ${status}`, await tasks.say(request.body, { status }));
      }
      const acts = ['apply', 'apply', 'apply', 'discard', 'cancel', 'force-cancel', 'force-execute'];
      const reports = ['planning', 'planned', 'applying', 'applied', 'errored', 'canceled'];

      const actions = {
        async continueARun() {
          const run = await unfinished();
          if (run === undefined) return;
          const { id, status, canceledAt } = run;
          const step = NEXT_STEP[status];
          if (canceledAt !== null && chance(0.5)) {
            api.advance(MINUTE);
            checked(`force-cancel ${id}`, await runs.act(id, 'force-cancel'));
            return;
          }
          if (status.endsWith('_running')) await answerTask(0.8);
          else if (step === 'apply' || step === 'force-execute') checked(`${step} ${id}`, await runs.act(id, step));
          else if (step !== undefined) {
            const changes = step === 'planned' ? { 'has-changes': chance(0.8) } : {};
            checked(`step ${step} ${id}`, await runs.report(id, step, changes));
          }
        },
        async createRun() {
          const attributes = pick(kindsOfRun);
          const answer = checked(`run ${JSON.stringify(attributes)}`, await runs.create(pick(workspaces), attributes));
          if (answer.status === 201) made.push(answer.body.data.id);
        },
        async actOnARun() {
          const [id, act] = [newest(), pick(acts)];
          checked(`${act} ${id}`, await runs.act(id, act));
        },
        async reportAStatus() {
          const [id, status] = [newest(), pick(reports)];
          const changes = status === 'planned' ? { 'has-changes': chance(0.7) } : {};
          checked(`report ${status} ${id}`, await runs.report(id, status, changes));
        },
        async claimAJob() {
          const agent = pick(team);
          const answer = checked('claim', await agent.claim());
          if (answer.status === 200) {
            const job = jobOf(api, answer.body.data);
            jobs.push(job);
            if (!made.includes(job.runId)) made.push(job.runId);
          }
        },
        async workOnAJob() {
          const job = pick(jobs.slice(-4));
          if (job === undefined) return;
          const { status } = checked(`heartbeat ${job.runId}`, await job.heartbeat());
          if (status === 401) jobs.splice(jobs.indexOf(job), 1);
          if (chance(0.2)) checked('log', await job.log(0, 'some text'));
          if (chance(0.1)) checked('job', await job.call('GET', `/jobs/${job.id}`));
          if (chance(0.6)) checked(`start ${job.runId}`, await job.start());
          if (chance(0.4)) {
            const outcome = pick(['finished', 'finished', 'finished', 'failed', 'canceled']);
            const findings = chance(0.3) && { 'resources-drifted': 0 };
            const attributes = { 'has-changes': chance(0.7), exit: chance(0.9) ? 0 : 1, ...findings };
            checked(`finish ${outcome} ${job.runId}`, await job.finish(outcome, attributes));
          }
        },
        async sweep() {
          api.advance(pick([...Array(12).fill(SECOND), ...Array(5).fill(MINUTE), 11 * MINUTE, 3 * HOUR, 25 * HOUR]));
          for (const agent of team) if (chance(0.7)) await agent.say('idle');
          log.push('sweep');
          await execution.runClaims.sweep();
          await execution.runReconciler.sweep();
        },
        async actOnAWorkspace() {
          const act = pick(['lock', 'unlock', 'force-unlock', 'assess']);
          checked(act, await owner.call('POST', `/workspaces/${pick(workspaces)}/actions/${act}`));
        },
        async changeSettings() {
          const mode = pick([byAgents(pool), { 'execution-mode': 'remote' }, { 'execution-mode': 'local' }]);
          const body = { data: { type: 'workspaces', attributes: mode } };
          checked('settings', await owner.call('PATCH', `/workspaces/${pick(workspaces)}`, body));
        },
        async changeState() {
          const at = worker(api, owner, pick(workspaces));
          if (checked('lock for a state', await at.lock()).status !== 200) return;
          const text = JSON.stringify({
            version: 4,
            serial: ++serial,
            lineage: `l-${seed}`,
            outputs: {},
            resources: [],
          });
          const state = Buffer.from(text).toString('base64');
          checked('state', await at.create(text, { serial, lineage: `l-${seed}`, state }));
          checked('unlock', await at.unlock());
        },
        async replaceAWorkspace() {
          const place = Math.floor(random() * workspaces.length);
          const [id] = workspaces.splice(place, 1);
          checked('delete a workspace', await owner.call('DELETE', `/workspaces/${id}`));
          await newWorkspace();
        },
        async restoreBackup() {
          log.push('restored');
          if (chance(0.3)) await execution.interruptedRuns.endAll();
        },
        async replaceAnAgent() {
          const place = Math.floor(random() * team.length);
          const [agent] = team.splice(place, 1);
          if (agent) checked('agent goes', await agent.say('exited'));
          team.push(await agents.agent(pool));
        },
        answerATask: () => answerTask(0.6),
        deliver: () => notifications.deliver(),
      };
      const weights: Readonly<Record<keyof typeof actions, number>> = {
        continueARun: 80,
        createRun: 12,
        actOnARun: 16,
        reportAStatus: 30,
        claimAJob: 14,
        workOnAJob: 40,
        sweep: 6,
        actOnAWorkspace: 6,
        changeSettings: 2,
        changeState: 3,
        replaceAWorkspace: 2,
        restoreBackup: 1,
        replaceAnAgent: 2,
        answerATask: 10,
        deliver: 4,
      };
      const wheel = Object.entries(weights).flatMap(([name, weight]) => Array<string>(weight).fill(name));
      const nextAction = () => actions[pick(wheel) as keyof typeof actions];

      async function expectSound(): Promise<void> {
        const broken = await api.workspaces.database.all(BROKEN, {});
        expect(broken, log.slice(-12).join('\n')).toEqual([]);
      }

      made.push(await runs.run(pick(workspaces)));
      for (let step = 0; step < STEPS; step++) {
        const together = Array.from({ length: chance(0.2) ? 3 : 1 }, nextAction);
        await Promise.all(together.map((act) => act()));
        await expectSound();
      }

      // The end of a workspace ends its runs.
      for (const id of workspaces) checked('delete', await owner.call('DELETE', `/workspaces/${id}`));
      await expectSound();
      expect(await api.workspaces.database.all(UNFINISHED, {})).toEqual([]);
    },
  );

  test('the sequences reach the ends of runs', async () => {
    const ends = await api.workspaces.database.all(REACHED, {});
    expect(ends.map(({ status }) => status)).toEqual(expect.arrayContaining(ENDS));
  });
});
