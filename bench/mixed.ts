/**
 * Runs a mixed load at a steady rate for ten minutes: logins on new and kept connections, shows, lists, locks, states
 * of 1 MB, and runs that an agent executes. Prints the server's memory over time and all failures. Exits with 1 after
 * a failure. `--load 50` adjusts the rates within the first minutes, so that the server uses half of a core. Without
 * it the rates are those in this file.
 *
 *     npm run bench:mixed [-- --database postgres --minutes 10 --workspaces 2000 --load 50]
 *     npm run bench:soak                      one hour at half load
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { needDatabase, startFilled } from './support/filled.ts';
import { Lane } from './support/lane.ts';
import { apiRequest, loginRequest } from './support/load.ts';
import { cpuMicroseconds, median, residentMegabytes } from './support/measure.ts';
import { RunBench } from './support/run-bench.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    minutes: { type: 'string', default: '10' },
    workspaces: { type: 'string', default: '2000' },
    load: { type: 'string', default: '0' },
  },
});
needDatabase(values.database);
const minutes = Number(values.minutes);
const load = Number(values.load);
const { lockkeeper } = await startFilled(values.database, Number(values.workspaces), { execution: 'agents' });
const { tls, plain, show } = lockkeeper;
const { token } = show;
const LIST = '/api/v2/organizations/bench/workspaces?page[number]=1';

/** Result of one kind of operation. */
interface Kind {
  readonly name: string;
  readonly aSecond: number;
  readonly durations: number[];
  failed: number;
}
const kinds: Kind[] = [];
const failures = new Map<string, number>();
const end = performance.now() + minutes * 60_000;
/** Factor of the rate in this file. */
let pace = 1;
/** Interval between two points of the memory curve, s. */
const INTERVAL = 30;
/** Points of the curve at which `pace` is adjusted. The first comes after the warm-up, because work costs more before. */
const PACED = { from: 2, to: 5 };

/** Repeats an operation at a steady rate until the end, without overlap. */
async function run(name: string, aSecond: number, operation: (number: number) => Promise<unknown>): Promise<void> {
  const kind: Kind = { name, aSecond, durations: [], failed: 0 };
  kinds.push(kind);
  let due = performance.now();
  for (let n = 0; performance.now() < end; n++) {
    // Missed repetitions are not caught up in a burst.
    due = Math.max(due + 1000 / (aSecond * pace), performance.now() - 1000);
    await sleep(Math.max(0, due - performance.now()));
    const start = performance.now();
    try {
      await operation(n);
      kind.durations.push(performance.now() - start);
    } catch (error) {
      kind.failed++;
      const text = (error as Error).message.slice(0, 400);
      failures.set(text, (failures.get(text) ?? 0) + 1);
    }
  }
}

async function lockAndUnlock(lane: Lane, path: string): Promise<void> {
  await lane.send(apiRequest('POST', `${path}/actions/lock`, token, {}));
  await lane.send(apiRequest('POST', `${path}/actions/unlock`, token, {}));
}

function state(serial: number) {
  const instance = (n: number) =>
    `{"index_key":${n},"schema_version":0,"attributes":{"id":"i-${serial}-${n}","data":"${'v'.repeat(700)}"}}`;
  const instances = Array.from({ length: 1250 }, (_, n) => instance(n)).join(',');
  const resource = `{"mode":"managed","type":"t","name":"n","provider":"provider[\\"registry.opentofu.org/a/b\\"]","instances":[${instances}]}`;
  const text = `{"version":4,"terraform_version":"1.10.0","serial":${serial},"lineage":"l","outputs":{},"resources":[${resource}]}`;
  const md5 = createHash('md5').update(text).digest('hex');
  const attributes = { serial, lineage: 'l', md5, state: Buffer.from(text).toString('base64') };
  return apiRequest('POST', `${show.path}/state-versions`, token, { data: { type: 'state-versions', attributes } });
}

const memory: number[] = [];
/** Memory at a point of the curve, MB. */
const MARK = 8;
async function watch(): Promise<void> {
  const { pid } = plain;
  const began = performance.now();
  let [before, from] = [cpuMicroseconds(pid), began];
  while (performance.now() < end - 1000) {
    await sleep(Math.min(INTERVAL * 1000, end - performance.now()));
    const [now, at] = [cpuMicroseconds(pid), performance.now()];
    const share = (now - before) / ((at - from) * 10);
    if (load > 0 && memory.length >= PACED.from && memory.length < PACED.to) pace *= load / share;
    const size = residentMegabytes(pid);
    memory.push(size);
    console.log(
      `${((at - began) / 1000).toFixed(0).padStart(4)} s  ${share.toFixed(0).padStart(3)} % of a core  ${size.toFixed(0).padStart(5)} MB ${'#'.repeat(size / MARK)}`,
    );
    [before, from] = [now, at];
  }
}

/** Queues a run, waits for the agent's plan and reads the log meanwhile. */
async function planned(bench: RunBench, agent: Awaited<ReturnType<RunBench['agent']>>): Promise<void> {
  const asked = agent.claim(30);
  const log = await bench.run();
  const job = await asked;
  await job.start();
  const text = 'a line of a plan\n'.repeat(200);
  await Promise.all([job.log(0, text), bench.readUntil(log, text.length)]);
  await job.finish();
}

const open = () => Lane.open(plain);
const setUp = await open();
const { data } = JSON.parse(await setUp.send(apiRequest('GET', LIST, token))) as { data: { id: string }[] };
const paths = data.map(({ id }) => `/api/v2/workspaces/${id}`).filter((path) => path !== show.path);
await setUp.send(apiRequest('POST', `${show.path}/actions/lock`, token, {}));
setUp.close();

const [keptLogin, showLane, listLane, lockLane, stateLane] = await Promise.all([
  Lane.open(tls),
  open(),
  open(),
  open(),
  open(),
]);
const runs = await RunBench.start(lockkeeper);
const agent = await runs.agent();
await Promise.all([
  watch(),
  run('login, new connection', 20, async () => {
    const lane = await Lane.open(tls);
    try {
      await lane.send(loginRequest());
    } finally {
      lane.close();
    }
  }),
  run('login, kept connection', 50, () => keptLogin.send(loginRequest())),
  run('show', 100, () => showLane.send(apiRequest('GET', show.path, token))),
  run('list of 20', 20, () => listLane.send(apiRequest('GET', LIST, token))),
  run('lock and unlock', 20, (n) => lockAndUnlock(lockLane, paths[n % paths.length] ?? '')),
  run('state of 1 MB', 1, (n) => stateLane.send(state(n + 1))),
  run('run, planned', 0.5, () => planned(runs, agent)),
]);

console.log(`\n${''.padEnd(26)}done   failed   median ms   99 %`);
for (const { name, durations, failed } of kinds) {
  const sorted = durations.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  const figures = [sorted.length, failed, median(sorted).toFixed(1), p99.toFixed(1)];
  console.log(`${name.padEnd(24)} ${figures.map((figure) => String(figure).padStart(7)).join('  ')}`);
}
for (const [text, count] of failures) console.log(`${count} times: ${text}`);
const quarter = Math.ceil(memory.length / 4);
const of = (part: readonly number[]) => median(part).toFixed(0);
console.log(
  `memory: ${of(memory.slice(0, quarter))} MB in the first quarter, ${of(memory.slice(-quarter))} MB in the last`,
);
process.exitCode = kinds.some(({ failed }) => failed > 0) ? 1 : 0;
for (const lane of [keptLogin, showLane, listLane, lockLane, stateLane]) lane.close();
await lockkeeper.stop();
