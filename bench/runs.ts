/**
 * Measures the server's cost of runs on agents: the time from queueing a run to the first log line that a client
 * reads; a log of 10,000 lines that an agent sends and a command line reads in parts, compared with the same bytes in
 * one request; and a hundred idle agents. This program plays the agents. CPU time includes the server process and
 * PostgreSQL. Ratios are comparable between machines, absolute values are not.
 *
 *     npm run bench:runs [-- --database postgres --rounds 7 --agents 100 --seconds 60 --only idle]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuMicroseconds, type Measured, measure, median, residentMegabytes } from './support/measure.ts';
import { RunBench } from './support/run-bench.ts';
import { startLockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '7' },
    agents: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds);
const LINES = 10_000;
/** Interval, ms. */
const WARM_UP = 15_000;
/** Parts of a log that an engine writes quickly: all lines of one second form one part. */
const LINES_A_PART = 100;
const LINE = `${JSON.stringify({ '@level': 'info', '@message': 'terraform_data.a[0]: Creation complete after 0s', type: 'apply_complete' })}\n`;

const url = process.env.LOCKKEEPER_TEST_POSTGRES;
if (values.database === 'postgres' && url === undefined) throw new Error('LOCKKEEPER_TEST_POSTGRES is not set');
const storage =
  values.database === 'postgres'
    ? `{ type: postgres, url: '${url}', blob_directory: blobs }`
    : '{ type: sqlite, directory: data }';
const lockkeeper = await startLockkeeper(`${storage}\nworkspaces: { execution: agents }`);
const { pid } = lockkeeper.plain;
const bench = await RunBench.start(lockkeeper);

const cpuOf = (all: readonly Measured[]) => median(all.map(({ cpu }) => cpu)) / 1000;
const databaseOf = (all: readonly Measured[]) => median(all.map(({ database }) => database)) / 1000;
const wallOf = (all: readonly Measured[]) => median(all.map(({ wall }) => wall)) / 1000;

async function timesOf(work: () => Promise<void>): Promise<Measured[]> {
  const all: Measured[] = [];
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= rounds; round++) {
    const one = await measure(pid, async () => {
      await work();
      return 1;
    });
    if (round > 0) all.push(one);
  }
  return all;
}

function tell(name: string, all: readonly Measured[], beside: readonly Measured[], what: string): void {
  const ratio = (of: typeof cpuOf) => (of(all) / of(beside)).toFixed(1);
  const figures = `${wallOf(all).toFixed(0).padStart(6)} ms  ${cpuOf(all).toFixed(0).padStart(6)} ms CPU  ${databaseOf(all).toFixed(0).padStart(5)} ms database`;
  console.log(`${name.padEnd(46)} ${figures}   ${ratio(wallOf)} times ${what} (CPU ${ratio(cpuOf)})`);
}

async function firstLine(): Promise<void> {
  const agent = await bench.agent();
  const reading = async (): Promise<void> => {
    const asked = agent.claim(30);
    const run = await bench.run();
    const job = await asked;
    await job.start();
    await Promise.all([job.log(0, LINE), bench.readUntil(run, 1)]);
    await job.finish();
  };
  const requests = async (): Promise<void> => {
    for (let n = 0; n < 6; n++) await bench.show();
  };
  tell(
    'from POST of a run to its first line',
    await timesOf(reading),
    await timesOf(requests),
    'six requests that show',
  );
  await agent.leave();
}

async function tenThousandLines(): Promise<void> {
  const agent = await bench.agent();
  const part = LINE.repeat(LINES_A_PART);
  const withReader = (isRead: boolean) => async (): Promise<void> => {
    const asked = agent.claim(30);
    const run = await bench.run();
    const job = await asked;
    await job.start();
    const read = isRead ? bench.readUntil(run, LINES * LINE.length) : undefined;
    for (let sent = 0; sent < LINES; sent += LINES_A_PART) await job.log(sent * LINE.length, part);
    await read;
    await job.finish();
  };
  const inOne = async (): Promise<void> => {
    const asked = agent.claim(30);
    await bench.run();
    const job = await asked;
    await job.start();
    await job.put('json-output', LINE.repeat(LINES));
    await job.finish();
  };
  const one = await timesOf(inOne);
  const read = await timesOf(withReader(true));
  tell(`${LINES} lines, ${LINES_A_PART} at once`, await timesOf(withReader(false)), one, 'one PUT');
  tell(`${LINES} lines, and somebody reads them`, read, one, 'one PUT');
  console.log(
    `${'lines a second through to a reader'.padEnd(46)} ${((LINES * 1000) / wallOf(read)).toFixed(0).padStart(6)}`,
  );
  await agent.leave();
}

async function idle(): Promise<void> {
  const cost = async (): Promise<number> => {
    const before = cpuMicroseconds(pid);
    const waited = await measure(pid, async () => {
      await sleep(Number(values.seconds) * 1000);
      return Number(values.seconds);
    });
    return ((cpuMicroseconds(pid) - before + waited.database * waited.operations) * 60) / Number(values.seconds) / 1000;
  };
  // Waits, so that the server's start does not count for the agents.
  await sleep(WARM_UP);
  const [alone, memory] = [await cost(), residentMegabytes(pid)];
  const agents = await Promise.all(Array.from({ length: Number(values.agents) }, () => bench.agent()));
  const stop = new AbortController();
  const waiting = agents.map((agent) => agent.waitAgainAndAgain(stop.signal));
  await sleep(WARM_UP);
  const [withAgents, more] = [await cost(), residentMegabytes(pid)];
  stop.abort();
  await Promise.all(waiting);
  const each = (withAgents - alone) / agents.length;
  console.log(
    `${`${agents.length} idle agents`.padEnd(46)} ${withAgents.toFixed(0).padStart(6)} ms CPU a minute, ${alone.toFixed(0)} without: ${each.toFixed(1)} each; ${(((more - memory) * 1024) / agents.length).toFixed(0)} KB each`,
  );
}

const parts = { first: firstLine, lines: tenThousandLines, idle };
console.log(`\n${values.database}`);
try {
  for (const [name, part] of Object.entries(parts)) if (name.includes(values.only)) await part();
} finally {
  await lockkeeper.stop();
}
