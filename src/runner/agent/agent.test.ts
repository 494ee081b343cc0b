import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Starts an agent whose engine runs a script; `$1` is the step. */
function startScripted(script: string, options: Parameters<typeof startAgent>[1] = {}): RunningAgent {
  const { engines, engine } = scripted(script);
  return start({ engines: { ...engines, always: null }, ...options, name: engine.version ?? '' });
}

const finished = (job: JobRecord): Promise<void> => until(() => job.finished !== null, `the end of ${job.id}`);
const logOf = (job: JobRecord): string => job.log.toString();
const engine = { kind: 'terraform', version: null };
const MAIN = { 'main.tf': 'resource "terraform_data" "a" { input = "x" }' };
const STATE = (serial: number): string => `{"version":4,"serial":${serial},"lineage":"l","resources":[]}`;
/** Blobs and data that the apply of a plan needs. */
const PLANS = 'plan) echo x >../plan/tfplan; exit 2;; show|providers) echo "{}";;';

async function plannedFolder(): Promise<{ runId: string; folder: Buffer | undefined }> {
  const job = server.queue({ files: { 'main.tf': '' }, attributes: { engine } });
  await finished(job);
  expect(job.finished, logOf(job)).toMatchObject({ outcome: 'finished', exit: 0, 'has-changes': true });
  return { runId: job.runId, folder: job.handed.get('folder') };
}

/** Runs the apply of a plan with an engine that runs a script. */
async function applying(script: string): Promise<{ job: JobRecord; running: RunningAgent }> {
  const running = startScripted(`case $1 in ${PLANS} apply) ${script};; esac`);
  const job = server.queue({ phase: 'apply', ...(await plannedFolder()), attributes: { engine } });
  return { job, running };
}

test('a traced job sends its trace context with each request, and the duration of its steps', async () => {
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

test.skipIf(!hasEngine)('an agent plans and applies, and uploads all results (needs terraform)', async () => {
  const { lines } = start({ slots: 2 });
  const plan = server.queue({ files: MAIN });
  await finished(plan);
  expect(plan.finished, logOf(plan)).toEqual({
    ...{ outcome: 'finished', exit: 0, 'has-changes': true },
    ...{ providers: [], modules: [] },
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

  test('is interrupted by a cancel', async () => {
    startScripted(SLEEPS);
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await until(() => logOf(job).includes('begun'));
    job.cancel = 'interrupt';
    await finished(job);
    expect(job.finished).toEqual({ outcome: 'canceled', 'is-forced': false });
    expect(logOf(job)).toMatch(/interrupted\nThe run was canceled\.\n$/);
  });

  test('is killed by a force-cancel, reports nothing more, and leaves its state', async () => {
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

  test('is interrupted when its agent stops', async () => {
    const { agent, ended } = startScripted(SLEEPS);
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await until(() => logOf(job).includes('begun'));
    agent.interrupt();
    await ended;
    expect(job.finished).toEqual({
      outcome: 'failed',
      reason: 'The agent was stopped and interrupted the run',
    });
    expect(logOf(job)).toMatch(/Error: The agent was stopped and interrupted the run\n$/);
    expect([...server.agents.values()].map(({ status }) => status)).toEqual(['exited']);
  });

  test('continues while its agent drains', async () => {
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

describe('a server that becomes unavailable', () => {
  test('makes an engine wait that prints more than the buffer holds, and then gets all output', async () => {
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

  test('during an apply gets everything when it is available again', async () => {
    const { job, running } = await applying(
      `echo one; echo '${STATE(1)}' >$(echo ../states/*)/terraform.tfstate; sleep 2; echo two; echo '${STATE(2)}' >$(echo ../states/*)/terraform.tfstate`,
    );
    await until(() => logOf(job).includes('one'));
    await server.goAway();
    await until(() => running.lines.some((line) => line.includes('server unavailable')));
    await new Promise((done) => setTimeout(done, 3000));
    await server.comeBack();
    await finished(job);
    expect(job.finished).toMatchObject({ outcome: 'finished', exit: 0 });
    expect(logOf(job)).toContain('one\ntwo\n');
    expect(job.states.at(-1)).toMatchObject({
      attributes: { serial: 2, intermediate: false },
      bytes: expect.anything(),
    });
    expect(running.lines.some((line) => line.includes('server available again'))).toBe(true);
  });

  test('before the job starts gets the request again', async () => {
    await server.goAway();
    const { lines } = startScripted('exit 0');
    await until(() => lines.some((line) => line.includes('server unavailable')));
    await server.comeBack();
    await until(() => server.agents.size === 1);
  });
});

test.each(['configuration', 'state'])('a %s that is too large is not downloaded, and the run says so', async (what) => {
  const length = 268_435_457;
  server.intercept = ({ path }) => (path.endsWith(`/${what}`) ? { status: 200, length } : undefined);
  startScripted('echo ran');
  const job = server.queue({ files: MAIN, state: Buffer.from(STATE(3)), attributes: { engine } });
  await until(() => job.finished !== null);
  expect(JSON.stringify([logOf(job), job.finished])).toContain(`The ${what} is larger than 268435456 bytes`);
});

describe('a server that refuses', () => {
  test('the start of a job: the agent does not execute it', async () => {
    server.intercept = ({ path }) => (path.endsWith('/start') ? { status: 409 } : undefined);
    const { lines } = startScripted('echo ran');
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await until(() => lines.some((line) => line.includes('dropped')));
    expect(logOf(job)).toBe('');
  });

  test('a job that it gave to another agent: the engine is interrupted, and the state becomes the errored state', async () => {
    const { job, running } = await applying(
      `trap "exit 1" INT; echo '${STATE(3)}' >$(echo ../states/*)/terraform.tfstate; echo begun; sleep 60 & wait`,
    );
    await until(() => logOf(job).includes('begun'));
    server.intercept = ({ path }) =>
      path.includes(job.id) && !path.endsWith('errored-state') ? { status: 401 } : undefined;
    await until(() => job.handed.has('errored-state'));
    expect(job.handed.get('errored-state')?.toString()).toContain('"serial":3');
    expect(job.finished).toBe(null);
    expect(running.lines.join('\n')).toContain('no longer accepts this job from this agent');
  });

  test('a state: it becomes the errored state, and the run says so', async () => {
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

  test("a state with 404: the run does not show the API's words", async () => {
    const detail = 'Not found, or you are not allowed to see or do this';
    server.intercept = ({ path }) =>
      path.endsWith('state-versions') ? { status: 404, json: { errors: [{ detail }] } } : undefined;
    const { job } = await applying(`echo '${STATE(4)}' >$(echo ../states/*)/terraform.tfstate`);
    await finished(job);
    const { reason } = job.finished as { reason: string };
    expect(reason).toMatch(
      /^The state could not be stored: the server does not have it, or this job may not read it any more/,
    );
    expect(reason).not.toContain(detail);
  });

  test('a state that another version supersedes: the agent announces it again', async () => {
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

  test('a state in every way: the agent keeps it', async () => {
    server.intercept = ({ path }) => (/state-versions$|errored-state$/.test(path) ? { status: 422 } : undefined);
    const { job, running } = await applying(`echo '${STATE(5)}' >$(echo ../states/*)/terraform.tfstate`);
    await finished(job);
    expect(job.finished).toMatchObject({ reason: expect.stringContaining('The agent keeps it in') });
    const [kept] = await keptStates(running.folder);
    expect(kept?.runId).toBe(job.runId);
    expect(readFileSync(kept?.path ?? '', 'utf8')).toContain('"serial":5');
  });

  test('the report of a job: the agent reports again and executes nothing twice', async () => {
    let tries = 0;
    server.intercept = ({ path }) => (/apply-.*finish$/.test(path) && tries++ < 2 ? { status: 422 } : undefined);
    const { job } = await applying('echo applied');
    await finished(job);
    expect(job.finished).toMatchObject({ outcome: 'finished', exit: 0 });
    expect(logOf(job).match(/applied/g)).toHaveLength(1);
    expect(tries).toBe(3);
  });

  test('a token: the agent continues with the next one', async () => {
    const { tokens, lines } = startScripted('exit 0');
    await until(() => server.agents.size === 1);
    server.token = 'lka.two';
    await server.goAway();
    await server.comeBack();
    await until(() => lines.some((line) => line.includes('rejected the token')));
    expect(lines.filter((line) => line.includes('rejected the token'))).toHaveLength(1);
    tokens.hand('lka.two');
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await finished(job);
  });

  test('an agent that it does not know: the agent registers again', async () => {
    startScripted('exit 0');
    await until(() => server.asked.some((one) => one.endsWith('/claim')));
    server.agents.clear();
    const job = server.queue({ files: MAIN, attributes: { engine } });
    await finished(job);
    expect(server.agents.size).toBeLessThanOrEqual(1);
  });
});

test('an agent refuses a job with a phase that it does not know, so that it never plans something else', async () => {
  start();
  const attributes = { phase: 'plan-with-spells', engine };
  const job = server.queue({ files: MAIN, attributes });
  await finished(job);
  expect(job.finished).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/phase.*upgrade the agent/) });
  expect(job.isStarted).toBe(false);
});

test('a new token is used immediately, also while a job runs', async () => {
  const { tokens } = startScripted('[ $1 = plan ] && { echo begun; sleep 3; exit 1; }; exit 0');
  const job = server.queue({ files: MAIN, attributes: { engine } });
  await until(() => logOf(job).includes('begun'));
  tokens.hand(server.token);
  await until(() => [...server.agents.values()].some(({ said }) => said.includes('busy')));
  await finished(job);
});

test('an agent unregisters killed agents of its folder', async () => {
  const { folder, agent, ended } = start();
  await until(() => server.agents.size === 1);
  const [[first] = ['']] = [...server.agents];
  // The agent stores its ID when it has the response.
  await until(() => existsSync(`${folder}/registered`) && readFileSync(`${folder}/registered`, 'utf8') === first);
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

test('only one agent uses a folder', async () => {
  const { folder } = start();
  await until(() => server.agents.size === 1);
  const second = startAgent(server, { folder });
  await expect(second.ended).rejects.toThrow('is locked by another process');
});
