import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Queries, Transaction } from '../../../../../src/storage/index.ts';
import { NEXT, RUN_STATUSES, type RunStatus } from '../../../../../src/workspaces/execution/lifecycle/status.ts';
import type { Run } from '../../../../../src/workspaces/execution/run/run.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { TestApi } from '../../support/api.ts';
import { type Assessing, assessmentsOf, newAssessing } from '../../support/assessments.ts';
import { notificationsOf, startNotifying } from '../../support/notifications.ts';
import { runTasksOf } from '../../support/run-tasks.ts';

/**
 * Writes of each transition, for each kind of run: `npx vitest run test/api/workspaces/execution/runs/run-effects.test.ts -u`
 * writes the golden file. A change of it is a change of what a run does.
 */
const GOLDEN = '../../../../golden/run-effects.txt';

/** Effects of each status, from their list. */
const BY_STATUS = '../../../../golden/run-effects-by-status.txt';

const HOOK = 'hook after the commit';

/** Transitions that the table of statuses leaves to users and to the server. */
const FURTHER: readonly (readonly [RunStatus, RunStatus])[] = [
  ['planned', 'confirmed'],
  ['planned', 'discarded'],
  ['planning', 'force_canceled'],
];

describe('the effects of the transitions of a run', () => {
  let server: Assessing;
  let api: TestApi;
  let receiver: Receiver;
  beforeAll(async () => {
    ({ api, receiver } = await startNotifying('sqlite'));
    server = await newAssessing({ api, receiver });
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });

  const notifications = notificationsOf(() => server);
  const tasks = runTasksOf(() => server);
  const assessments = assessmentsOf(() => server);
  let names = 0;

  /** Creates a workspace with a notification, a triggered workspace and a saved plan. */
  async function newWorkspace(): Promise<string> {
    const { acme, runs } = server;
    const [source, triggered] = [await runs.workspace(`w-${++names}`), await runs.workspace(`w-${++names}`)];
    await notifications.create(source, notifications.attributesFor(notifications.newPath()));
    const sourceable = { data: { type: 'workspaces', id: source } };
    const body = { data: { type: 'run-triggers', relationships: { sourceable } } };
    expect((await acme.owner.call('POST', `/workspaces/${triggered}/run-triggers`, body)).status).toBe(201);
    const saved = await runs.run(source, { 'save-plan': true });
    await runs.through(saved, 'planning', 'planned');
    return source;
  }

  async function newRun(attributes: object): Promise<string> {
    const workspace = await newWorkspace();
    const run = await server.runs.run(workspace, attributes);
    await server.runs.run(workspace);
    return run;
  }

  async function newAssessment(): Promise<string> {
    const { workspace } = await assessments.good({}, `w-${++names}`);
    expect((await assessments.assess(workspace)).status).toBe(200);
    const [id] = await read<string>('SELECT id FROM run WHERE operation = :operation', { operation: 'assessment' });
    return id ?? '';
  }

  async function newEvaluatedRun(): Promise<string> {
    const workspace = await newWorkspace();
    for (const stage of ['pre_plan', 'post_plan', 'pre_apply', 'post_apply']) await tasks.judge(workspace, [stage]);
    return server.runs.run(workspace);
  }

  async function read<T>(text: string, params: Record<string, string>): Promise<T[]> {
    const rows = await api.workspaces.database.all<typeof params, { id: T }>({ text } as never, params);
    return rows.map(({ id }) => id);
  }

  /** Lists the writes of the last transition on the way to each status. Nothing is committed. */
  async function effectsOf(id: string, change: Partial<Run> = {}): Promise<string[]> {
    const lines: string[] = [];
    for (const target of RUN_STATUSES) {
      await rolledBack(async (tx) => {
        const run = { ...((await machine().claim(tx, id)) as Run), ...change };
        const path = pathTo(run.status, target);
        if (path !== undefined) lines.push(...(await walked(tx, run, path)));
      });
    }
    return lines;
  }

  const machine = () => api.workspaces.execution.runStateMachine;

  async function walked(tx: Transaction, from: Run, path: readonly RunStatus[]): Promise<string[]> {
    const lines: string[] = [];
    let run = from;
    const step = async (status: RunStatus, isLast: boolean) => {
      const writes: string[] = [];
      const next = await machine().transition(recorder(tx, writes), run, status, { now: api.now(), actor: null });
      if (isLast) lines.push(`${run.status} -> ${next.status}: ${counted(writes)}`);
      run = next;
    };
    for (const wanted of path) {
      const isLast = wanted === path.at(-1);
      await step(wanted, isLast);
      if (run.status === wanted) continue;
      // A stage of run tasks came first.
      await step(run.status.replace('_running', '_completed') as RunStatus, isLast);
      await step(wanted, isLast);
    }
    return lines;
  }

  async function rolledBack(work: (tx: Transaction) => Promise<void>): Promise<void> {
    const over = new Error('rolled back');
    const ended = api.workspaces.database.transaction(async (tx) => {
      await work(tx);
      throw over;
    });
    await expect(ended).rejects.toBe(over);
  }

  test('every transition writes what it wrote before', { timeout: 120_000 }, async () => {
    const kinds: Record<string, readonly [string, Partial<Run>?]> = {
      'plan and apply': [await newRun({})],
      'plan only': [await newRun({ 'plan-only': true })],
      destroy: [await newRun({ 'is-destroy': true })],
      'saved plan': [await newRun({ 'save-plan': true })],
      'run with tasks at each stage': [await newEvaluatedRun()],
      'run that the server ends': [await newRun({}), { cancelReason: 'A reason' }],
      assessment: [await newAssessment()],
    };
    const tables = [];
    for (const [kind, [id, change]] of Object.entries(kinds)) {
      tables.push(`# ${kind}\n${(await effectsOf(id, change)).join('\n')}\n`);
    }
    await expect(tables.join('\n')).toMatchFileSnapshot(GOLDEN);
  });

  test('the table of effects is that of the documentation', async () => {
    const { effects } = machine().reactions;
    expect(new Set(effects.map(({ name }) => name)).size).toBe(effects.length);
    const lines = RUN_STATUSES.flatMap((status) => [
      `# ${status}`,
      ...effects.filter(({ on }) => on.includes(status)).map(({ name, of }) => (of ? `${name} (${of})` : name)),
      '',
    ]);
    await expect(lines.join('\n')).toMatchFileSnapshot(BY_STATUS);
  });

  test('a transition that the table does not allow is refused, and a run that is over stays so', async () => {
    const run = await newRun({});
    await rolledBack(async (tx) => {
      const claimed = (await machine().claim(tx, run)) as Run;
      const options = { now: api.now(), actor: null };
      await expect(machine().transition(tx, claimed, 'applying', options)).rejects.toThrow('cannot become applying');
      const over = await machine().transition(tx, claimed, 'canceled', options);
      for (const status of RUN_STATUSES) {
        await expect(machine().transition(tx, over, status, options)).rejects.toThrow(`cannot become ${status}`);
      }
    });
  });
});

/** Returns the shortest way from one status to another; undefined if there is none. */
function pathTo(from: RunStatus, target: RunStatus): RunStatus[] | undefined {
  const paths = new Map<RunStatus, RunStatus[]>([[from, []]]);
  for (const [status, path] of paths) {
    const further = FURTHER.filter(([from]) => from === status).map(([, to]) => to);
    for (const next of [...NEXT[status], ...further]) {
      if (!paths.has(next)) paths.set(next, [...path, next]);
    }
  }
  return paths.get(target);
}

/** Passes everything on, and notes the statements that write and the hooks. */
function recorder(tx: Transaction, writes: string[]): Transaction {
  const noting =
    <K extends keyof Queries & ('all' | 'one' | 'run')>(name: K) =>
    (statement: { text: string }, params: never) => {
      writes.push(...writeOf(statement.text));
      return (tx[name] as (...args: unknown[]) => unknown)(statement, params);
    };
  return {
    dialect: tx.dialect,
    all: noting('all'),
    one: noting('one'),
    run: noting('run'),
    dynamic: (query: never) => tx.dynamic(query),
    afterCommit: () => void writes.push(HOOK),
  } as unknown as Transaction;
}

function writeOf(text: string): string[] {
  const [, verb, table] = /^\s*(?:WITH .*?\)\s*)?(INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/is.exec(text) ?? [];
  return verb === undefined ? [] : [`${verb.split(' ')[0]?.toLowerCase()} ${table}`];
}

/** Joins the writes in their order, and the number of hooks. */
function counted(writes: readonly string[]): string {
  const hooks = writes.filter((write) => write === HOOK).length;
  const steps: { readonly write: string; count: number }[] = [];
  for (const write of writes.filter((write) => write !== HOOK)) {
    const last = steps.at(-1);
    if (last?.write === write) last.count++;
    else steps.push({ write, count: 1 });
  }
  const texts = steps.map(({ write, count }) => (count === 1 ? write : `${count} × ${write}`));
  return [...texts, `${hooks} hooks`].join(', ');
}
