/**
 * Measures the gain of a second worker: logins, reads of a workspace and lists for each CPU second of the busiest
 * thread with one and with two workers, and the memory of each further worker. Uses PostgreSQL, kept connections, and
 * alternating rounds.
 *
 *     npm run bench:workers [-- --workspaces 1000 --rounds 5 --seconds 2 --connections 32]
 */
import { parseArgs } from 'node:util';
import { needDatabase, startFilled } from './support/filled.ts';
import type { Lane, Target } from './support/lane.ts';
import { apiRequest, loginRequest, overKeptConnections } from './support/load.ts';
import { median } from './support/measure.ts';
import { family, memory, threadTimes } from './support/processes.ts';

const { values } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '32' },
  },
});
needDatabase('postgres');
const rounds = Number(values.rounds);
const milliseconds = Number(values.seconds) * 1000;
const connections = Number(values.connections);
/** Warm-up rounds: each worker compiles its own code. */
const WARM = 3;

interface Round {
  /** Operations for each CPU second of the busiest thread, and of all threads. */
  readonly busiest: number;
  readonly all: number;
  /** Share of the supervisor that dispatches connections. */
  readonly first: number;
}

async function run(target: Target, operation: (lane: Lane) => Promise<unknown>): Promise<Round> {
  const pids = family(target.pid);
  const before = threadTimes(pids);
  const firstBefore = sum(threadTimes([target.pid]));
  const { operations } = await overKeptConnections(target, operation, milliseconds, connections);
  const after = threadTimes(pids);
  const spent = [...after].map(([thread, time]) => time - (before.get(thread) ?? 0));
  const all = spent.reduce((total, time) => total + time, 0);
  const second = 1_000_000;
  return {
    busiest: (operations * second) / Math.max(...spent),
    all: (operations * second) / all,
    first: (sum(threadTimes([target.pid])) - firstBefore) / all,
  };
}

const sum = (times: ReadonlyMap<string, number>) => [...times.values()].reduce((total, time) => total + time, 0);
const of = (rounds: readonly Round[], figure: keyof Round) => median(rounds.map((round) => round[figure]));

const { lockkeeper } = await startFilled('postgres', Number(values.workspaces));
const pair = await lockkeeper.beside({ LOCKKEEPER_WORKERS: '2' });
const { token, path } = lockkeeper.show;
const show = apiRequest('GET', path, token);
const list = apiRequest('GET', '/api/v2/organizations/bench/workspaces', token);
const lines = [
  ['login', 'tls', loginRequest('bench')],
  ['show a workspace', 'plain', show],
  ['list of 20', 'plain', list],
] as const;
try {
  for (const [name, kind, request] of lines) {
    const results: [Round[], Round[]] = [[], []];
    for (let round = 1 - WARM; round <= rounds; round++) {
      for (const [index, server] of [lockkeeper, pair].entries()) {
        const result = await run(server[kind], (lane) => lane.send(request));
        if (round > 0) results[index]?.push(result);
      }
    }
    const [one, two] = results;
    const ratio = median(two.map((round, index) => round.busiest / (one[index]?.busiest ?? Number.NaN)));
    console.log(
      `${name.padEnd(18)} ${of(one, 'busiest').toFixed(0).padStart(6)} with one, ${of(two, 'busiest').toFixed(0).padStart(6)} with two` +
        ` for each second of the busiest thread: ${ratio.toFixed(2)} x` +
        `   (for each second of CPU in all: ${(of(two, 'all') / of(one, 'all')).toFixed(2)} x; the first process ${(of(two, 'first') * 100).toFixed(1)} %)`,
    );
  }
  const show = (pid: number) => {
    const { own, withShared, resident } = memory(pid);
    return `${own.toFixed(0)} MiB of its own, ${withShared.toFixed(0)} with its part of what is shared, ${resident.toFixed(0)} resident`;
  };
  const [first = 0, ...workers] = family(pair.tls.pid);
  console.log(`\none process            ${show(lockkeeper.tls.pid)}`);
  console.log(`the first of three     ${show(first)}`);
  for (const pid of workers) console.log(`a worker               ${show(pid)}`);
} finally {
  await pair.stop();
  await lockkeeper.stop();
}
