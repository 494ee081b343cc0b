/**
 * Measures how throughput grows with nodes: logins, reads of a workspace, and locks on one, two and three nodes on one
 * PostgreSQL. All nodes share this machine, so the comparison uses CPU time: the cost of a request at its node and at
 * the database, and the number of requests for each CPU second of the busiest node.
 *
 *     npm run bench:nodes [-- --workspaces 1000 --rounds 5 --seconds 2 --connections 16]
 */
import { parseArgs } from 'node:util';
import { needDatabase, startFilled } from './support/filled.ts';
import {
  apiRequest,
  type HttpTarget,
  locksOverKeptConnections,
  loginRequest,
  overKeptConnections,
} from './support/load.ts';
import { type Measured, median } from './support/measure.ts';
import type { Lockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '16' },
  },
});
needDatabase('postgres');
const rounds = Number(values.rounds);
const milliseconds = Number(values.seconds) * 1000;
/** CPU time of each node. */
const connections = Number(values.connections);
const MOST = 3;
/** Warm-up rounds: each node compiles its own code. */
const WARM = 2;

type Node = Pick<Lockkeeper, 'tls' | 'plain'>;
/** Load on one node, with its index. */
type Load = (node: Node, index: number) => Promise<Measured>;

interface Round {
  /** Operations for each CPU second of the busiest node. */
  readonly busiest: number;
  /** CPU time of one operation, microseconds. */
  readonly node: number;
  readonly database: number;
}

async function run(nodes: readonly Node[], load: Load): Promise<Round> {
  const measured = await Promise.all(nodes.map((node, index) => load(node, index)));
  const operations = sum(measured.map((one) => one.operations));
  const spent = measured.map((one) => one.cpu * one.operations);
  // Each measurement includes the whole database.
  const database = Math.max(...measured.map((one) => one.database * one.operations)) / operations;
  return { busiest: (operations * 1_000_000) / Math.max(...spent), node: sum(spent) / operations, database };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const of = (rounds: readonly Round[], figure: keyof Round) => median(rounds.map((round) => round[figure]));

/** Assigns workspaces to nodes, so that each node locks its own. */
async function workspacePaths({ port }: HttpTarget, token: string): Promise<string[]> {
  const path = '/api/v2/organizations/bench/workspaces?page[size]=100';
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  return data.map(({ id }) => `/api/v2/workspaces/${id}`);
}

const { lockkeeper } = await startFilled('postgres', Number(values.workspaces));
const others = await Promise.all(
  Array.from({ length: MOST - 1 }, () => lockkeeper.beside({ LOCKKEEPER_WORKERS: '1' })),
);
const nodes: readonly Node[] = [lockkeeper, ...others];
const { token, path } = lockkeeper.show;
const paths = await workspacePaths(lockkeeper.plain, token);
const share = Math.floor(paths.length / MOST);
const lines: readonly (readonly [string, Load])[] = [
  [
    'login',
    (node) => overKeptConnections(node.tls, (lane) => lane.send(loginRequest('bench')), milliseconds, connections),
  ],
  [
    'show a workspace',
    (node) =>
      overKeptConnections(node.plain, (lane) => lane.send(apiRequest('GET', path, token)), milliseconds, connections),
  ],
  [
    'lock and unlock',
    (node, index) =>
      locksOverKeptConnections(node.plain, paths.slice(index * share, (index + 1) * share), token, milliseconds),
  ],
];
try {
  for (const [name, load] of lines) {
    const results: Round[][] = Array.from({ length: MOST }, () => []);
    for (let round = 1 - WARM; round <= rounds; round++) {
      for (let count = 1; count <= MOST; count++) {
        const result = await run(nodes.slice(0, count), load);
        if (round > 0) results[count - 1]?.push(result);
      }
    }
    const [one = []] = results;
    const ratio = (rounds: readonly Round[], figure: keyof Round) => (of(rounds, figure) / of(one, figure)).toFixed(2);
    console.log(`\n${name}`);
    for (const [index, rounds] of results.entries()) {
      const grown = `${of(rounds, 'busiest').toFixed(0).padStart(6)} for each second of the busiest node (${ratio(rounds, 'busiest')} x)`;
      const node = `${of(rounds, 'node').toFixed(0).padStart(5)} µs of the node (${ratio(rounds, 'node')} x)`;
      const database = `${of(rounds, 'database').toFixed(0).padStart(5)} µs of the database (${ratio(rounds, 'database')} x)`;
      console.log(`  ${index + 1} ${index === 0 ? 'node ' : 'nodes'} ${grown}, ${node}, ${database}`);
    }
  }
} finally {
  for (const other of others) await other.stop();
  await lockkeeper.stop();
}
