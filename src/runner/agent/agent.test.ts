import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningAgent, startAgent, until } from '../../../test/support/runner/agent-trial.ts';
import { scripted } from '../../../test/support/runner/engine.ts';
import { type JobRecord, JobServer } from '../../../test/support/runner/job-server.ts';
import { hasEngine } from '../../../test/support/runner/run.ts';
import { keptStates } from '../index.ts';

let server: JobServer;
const started: RunningAgent[] = [];
beforeEach(async () => {
  server = await JobServer.start();
});
afterEach(async () => {
  for (const { agent, ended } of started.splice(0)) {
    agent.kill();
    await ended;
  }
  await server.goAway();
});

function start(options: Parameters<typeof startAgent>[1] = {}): RunningAgent {
  const agent = startAgent(server, options);
  started.push(agent);
  return agent;
}

/** An agent whose engine does what a script says; `$1` is the step. */
function startScripted(script: string, options: Parameters<typeof startAgent>[1] = {}): RunningAgent {
  const { engines, engine } = scripted(script);
  return start({ engines: { ...engines, always: null }, ...options, name: engine.version ?? '' });
}

const finished = (job: JobRecord): Promise<void> => until(() => job.finished !== null, `the end of ${job.id}`);
const logOf = (job: JobRecord): string => job.log.toString();
const engine = { kind: 'terraform', version: null };
const MAIN = { 'main.tf': 'resource "terraform_data" "a" { input = "x" }' };
const STATE = (serial: number): string => `{"version":4,"serial":${serial},"lineage":"l","resources":[]}`;
/** What the apply of a plan needs. */
const PLANS = 'plan) echo x >../plan/tfplan; exit 2;; show|providers) echo "{}";;';

async function plannedFolder(): Promise<{ runId: string; folder: Buffer | undefined }> {
  const job = server.queue({ files: { 'main.tf': '' }, attributes: { engine } });
  await finished(job);
  expect(job.finished, logOf(job)).toMatchObject({ outcome: 'finished', exit: 0, 'has-changes': true });
  return { runId: job.runId, folder: job.handed.get('folder') };
}

/** The apply of a plan, by an engine that does as a script says. */
async function applying(script: string): Promise<{ job: JobRecord; running: RunningAgent }> {
  const running = startScripted(`case $1 in ${PLANS} apply) ${script};; esac`);
  const job = server.queue({ phase: 'apply', ...(await plannedFolder()), attributes: { engine } });
  return { job, running };
}

test('a job that is traced says so whenever it asks, and how long its steps took', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const said = new Map<string, string | undefined>();
  server.intercept = ({ method, path, traceparent: one }) => {
    said.set(`${method} ${path.split('/').slice(3).join('/')}`, one);
    return undefined;
  };
  startScripted(`case $1 in ${PLANS} esac`);
  const job = server.queue({ files: { 'main.tf': '' }, attributes: { engine, traceparent } });
  await finished(job);
  const { took, steps } = job.finished as { took: number; steps: { name: string; ok: boolean; end: number }[] };
  expect(steps.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['fetch configuration', 'init', 'plan', 'show', 'upload plan', 'upload folder']),
  );
  for (const { name, ok, end } of steps) {
    expect([name, ok]).toEqual([name, true]);
    expect(end).toBeLessThanOrEqual(took);
  }
  for (const what of ['/start', '/finish', '/log']) {
    expect([...said].find(([asked]) => asked.includes(job.id) && asked.endsWith(what))?.[1]).toBe(traceparent);
  }
  const plain = server.queue({ files: { 'main.tf': '' }, attributes: { engine } });
  await finished(plain);
  expect(plain.finished).not.toHaveProperty('steps');
  expect([...said].find(([asked]) => asked.includes(plain.id))?.[1]).toBeUndefined();
});

test.skipIf(!hasEngine)('an agent plans and applies, and hands everything over (needs terraform)', async () => {
  const { lines } = start({ slots: 2 });
  const plan = server.queue({ files: MAIN });
  await finished(plan);
  expect(plan.finished, logOf(plan)).toEqual({
    ...{ outcome: 'finished', exit: 0, 'has-changes': true },
    engine: { kind: 'terraform', version: expect.any(String) },
    ...{ 'resource-additions': 1, 'resource-changes': 0, 'resource-destructions': 0, 'resource-imports': 0 },
  });
  expect(logOf(plan).split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(/^Terraform v/),
    expect.stringMatching(/^on linux_/),
    'Initializing plugins and modules...',
  ]);
  expect([...plan.handed.keys()].sort()).toEqual(['folder', 'json-output', 'json-output-redacted', 'provider-schemas']);
  const apply = server.queue({ phase: 'apply', runId: plan.runId, folder: plan.handed.get('folder') });
  await finished(apply);
  expect(apply.finished, logOf(apply)).toMatchObject({ outcome: 'finished', exit: 0, 'resource-additions': 1 });
  expect(apply.states.at(-1)?.attributes).toMatchObject({ intermediate: false, lineage: expect.any(String) });
  expect(JSON.parse(apply.states.at(-1)?.bytes?.toString() ?? '').resources).toHaveLength(1);
  expect([...server.agents.values()].map(({ name }) => name)).toEqual(['rack-7/1', 'rack-7/2']);
  expect([...server.agents.values()][0]?.engines).toEqual([expect.stringMatching(/^terraform \d/)]);
  expect(lines.join('\n')).not.toMatch(/lk[aj]\./);
});

describe('a run that is stopped', () => {
  const SLEEPS = 'trap "echo interrupted; exit 1" INT; [ $1 = plan ] && { echo begun; sleep 60 & wait; }; exit 0';

  test('by somebody is interrupted', async () => {
    startScripted(SLEEPS);
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await until(() => logOf(job).includes('begun'));
    job.cancel = 'interrupt';
    await finished(job);
    expect(job.finished).toEqual({ outcome: 'canceled', 'is-forced': false });
    expect(logOf(job)).toMatch(/interrupted\nThe run was canceled\.\n$/);
  });

  test('by force is killed, says nothing more, and leaves its state', async () => {
    const { job } = await applying(
      `echo '${STATE(7)}' >$(echo ../states/*)/terraform.tfstate; trap '' INT; echo begun; sleep 60 & wait`,
    );
    await until(() => logOf(job).includes('begun') && job.states.length > 0);
    const log = logOf(job);
    job.cancel = 'kill';
    await until(() => job.handed.has('errored-state'));
    expect(job.handed.get('errored-state')?.toString()).toContain('"serial":7');
    expect(logOf(job)).toBe(log);
  });

  test('by the end of its agent says so', async () => {
    const { agent, ended } = startScripted(SLEEPS);
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await until(() => logOf(job).includes('begun'));
    agent.interrupt();
    await ended;
    expect(job.finished).toEqual({
      outcome: 'failed',
      reason: 'The agent was told to stop, and has interrupted the run',
    });
    expect(logOf(job)).toMatch(/Error: The agent was told to stop, and has interrupted the run\n$/);
    expect([...server.agents.values()].map(({ status }) => status)).toEqual(['exited']);
  });

  test('is not, while its agent takes no more', async () => {
    const { agent, ended } = startScripted('[ $1 = plan ] && { echo begun; sleep 1; echo done; exit 1; }; exit 0');
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await until(() => logOf(job).includes('begun'));
    const next = server.queue({ files: MAIN, attributes: { engine } });
    agent.drain();
    await ended;
    expect(logOf(job)).toContain('done');
    expect(job.finished).toMatchObject({ outcome: 'finished', exit: 1 });
    expect(next.isStarted).toBe(false);
  });
});

describe('a server that goes away', () => {
  test('has an engine wait that says more than can be kept, and then gets all of it', async () => {
    const lines = 120_000;
    startScripted(
      `[ $1 = plan ] && { echo begun; sleep 1; yes '${'y'.repeat(63)}' | head -n ${lines}; echo said >&2; exit 1; }; exit 0`,
    );
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await until(() => logOf(job).includes('begun'));
    await server.goAway();
    await new Promise((done) => setTimeout(done, 4000));
    expect(job.finished).toBe(null);
    await server.comeBack();
    await finished(job);
    expect(logOf(job).match(/^y{63}$/gm)).toHaveLength(lines);
    expect(logOf(job)).toMatch(/said\n$/);
  });

  test('while a run is applied gets everything once it is back', async () => {
    const { job, running } = await applying(
      `echo one; echo '${STATE(1)}' >$(echo ../states/*)/terraform.tfstate; sleep 2; echo two; echo '${STATE(2)}' >$(echo ../states/*)/terraform.tfstate`,
    );
    await until(() => logOf(job).includes('one'));
    await server.goAway();
    await until(() => running.lines.some((line) => line.includes('the server is away')));
    await new Promise((done) => setTimeout(done, 3000));
    await server.comeBack();
    await finished(job);
    expect(job.finished).toMatchObject({ outcome: 'finished', exit: 0 });
    expect(logOf(job)).toContain('one\ntwo\n');
    expect(job.states.at(-1)).toMatchObject({
      attributes: { serial: 2, intermediate: false },
      bytes: expect.anything(),
    });
    expect(running.lines.some((line) => line.includes('the server is back'))).toBe(true);
  });

  test('before anything is begun is asked again', async () => {
    await server.goAway();
    const { lines } = startScripted('exit 0');
    await until(() => lines.some((line) => line.includes('the server is away')));
    await server.comeBack();
    await until(() => server.agents.size === 1);
  });
});

describe('a server that refuses', () => {
  test('a job that is not to be begun any more has nothing done', async () => {
    server.intercept = ({ path }) => (path.endsWith('/start') ? { status: 409 } : undefined);
    const { lines } = startScripted('echo ran');
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await until(() => lines.some((line) => line.includes('dropped')));
    expect(logOf(job)).toBe('');
  });

  test('a job that it has given to another has its engine interrupted, and its state handed over apart', async () => {
    const { job, running } = await applying(
      `trap "exit 1" INT; echo '${STATE(3)}' >$(echo ../states/*)/terraform.tfstate; echo begun; sleep 60 & wait`,
    );
    await until(() => logOf(job).includes('begun'));
    server.intercept = ({ path }) =>
      path.includes(job.id) && !path.endsWith('errored-state') ? { status: 401 } : undefined;
    await until(() => job.handed.has('errored-state'));
    expect(job.handed.get('errored-state')?.toString()).toContain('"serial":3');
    expect(job.finished).toBe(null);
    expect(running.lines.join('\n')).toContain('does not take this job from this agent any more');
  });

  test('a state keeps it apart, and the run says so', async () => {
    server.intercept = ({ path }) =>
      path.endsWith('state-versions')
        ? { status: 409, json: { errors: [{ detail: 'the serial is old' }] } }
        : undefined;
    const { job } = await applying(`echo '${STATE(4)}' >$(echo ../states/*)/terraform.tfstate`);
    await finished(job);
    expect(job.finished).toEqual({
      outcome: 'failed',
      reason: expect.stringMatching(
        /^The state could not be stored: the serial is old \(409\)\. The server keeps it as the errored state/,
      ),
    });
    expect(job.handed.get('errored-state')?.toString()).toContain('"serial":4');
  });

  test('a state, as nothing is there for the job any more, is not told in the words for people who ask the API', async () => {
    const detail = 'Not found, or you are not allowed to see or do this';
    server.intercept = ({ path }) =>
      path.endsWith('state-versions') ? { status: 404, json: { errors: [{ detail }] } } : undefined;
    const { job } = await applying(`echo '${STATE(4)}' >$(echo ../states/*)/terraform.tfstate`);
    await finished(job);
    const { reason } = job.finished as { reason: string };
    expect(reason).toMatch(/^The state could not be stored: the server does not have it, or not for this job any more/);
    expect(reason).not.toContain(detail);
  });

  test('a state whose place another one has taken gets it announced anew', async () => {
    let refused = 0;
    server.intercept = ({ method, path }) => {
      if (method !== 'PUT' || !path.includes('/upload/') || refused > 0) return undefined;
      refused += 1;
      return { status: 409, json: { errors: [{ detail: 'it does not wait for a state' }] } };
    };
    const { job } = await applying(`echo '${STATE(6)}' >$(echo ../states/*)/terraform.tfstate`);
    await finished(job);
    expect(job.finished).toMatchObject({ outcome: 'finished', exit: 0 });
    expect(job.states.map(({ bytes }) => bytes?.toString())).toEqual([
      undefined,
      expect.stringContaining('"serial":6'),
    ]);
  });

  test('a state in every way has the agent keep it', async () => {
    server.intercept = ({ path }) => (/state-versions$|errored-state$/.test(path) ? { status: 422 } : undefined);
    const { job, running } = await applying(`echo '${STATE(5)}' >$(echo ../states/*)/terraform.tfstate`);
    await finished(job);
    expect(job.finished).toMatchObject({ reason: expect.stringContaining('The agent keeps it in') });
    const [kept] = await keptStates(running.folder);
    expect(kept?.runId).toBe(job.runId);
    expect(readFileSync(kept?.path ?? '', 'utf8')).toContain('"serial":5');
  });

  test('to hear how a job ended is told again, and nothing is carried out twice', async () => {
    let tries = 0;
    server.intercept = ({ path }) => (/apply-.*finish$/.test(path) && tries++ < 2 ? { status: 422 } : undefined);
    const { job } = await applying('echo applied');
    await finished(job);
    expect(job.finished).toMatchObject({ outcome: 'finished', exit: 0 });
    expect(logOf(job).match(/applied/g)).toHaveLength(1);
    expect(tries).toBe(3);
  });

  test('its token goes on with the next one', async () => {
    const { tokens, lines } = startScripted('exit 0');
    await until(() => server.agents.size === 1);
    server.token = 'lka.two';
    await server.goAway();
    await server.comeBack();
    await until(() => lines.some((line) => line.includes('does not take the token')));
    expect(lines.filter((line) => line.includes('does not take the token'))).toHaveLength(1);
    tokens.hand('lka.two');
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await finished(job);
  });

  test('to know its agent has it register anew', async () => {
    startScripted('exit 0');
    await until(() => server.asked.some((one) => one.endsWith('/claim')));
    server.agents.clear();
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await finished(job);
    expect(server.agents.size).toBeLessThanOrEqual(1);
  });
});

test('a fresh token is told at once, also while a run is carried out', async () => {
  const { tokens } = startScripted('[ $1 = plan ] && { echo begun; sleep 3; exit 1; }; exit 0');
  const job = server.queue({ files: MAIN, attributes: { engine } });
  await until(() => logOf(job).includes('begun'));
  tokens.hand(server.token);
  await until(() => [...server.agents.values()].some(({ said }) => said.includes('busy')));
  await finished(job);
});

test('an agent signs off whoever worked in its folder before and could not', async () => {
  const { folder, agent, ended } = start();
  await until(() => server.agents.size === 1);
  const [[first] = ['']] = [...server.agents];
  expect(readFileSync(`${folder}/registered`, 'utf8')).toBe(first);
  agent.drain();
  await ended;
  expect(readFileSync(`${folder}/registered`, 'utf8')).toBe('');
  const killed = { name: 'rack-7', engines: [], status: 'busy', said: [] };
  server.agents.set('agent-killed', killed);
  writeFileSync(`${folder}/registered`, 'agent-forgotten\nagent-killed\n../no id\n');
  await server.goAway();
  start({ folder });
  await new Promise((done) => setTimeout(done, 500));
  await server.comeBack();
  await until(() => killed.status === 'errored');
  await until(() => !/forgotten|killed/.test(readFileSync(`${folder}/registered`, 'utf8')));
});

test('an agent works alone in its folder', async () => {
  const { folder } = start();
  await until(() => server.agents.size === 1);
  const second = startAgent(server, { folder });
  await expect(second.ended).rejects.toThrow('is held by another process');
});
