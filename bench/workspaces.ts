/**
 * What requests cost with 100,000 workspaces (300,000 tag links, 1,000 teams) beside the same with 1,000 (3,000, 10), and
 * beside a bare HTTP server that answers the same bytes: for an owner, and for a member who sees one in a hundred. Pages
 * are as long as the smaller server can fill them; `deep` is the middle of the list: page 2,500 of 5,000 for the owner.
 * Each takes its turn, round by round.
 *
 *     npm run bench:workspaces [-- --workspaces 100000 --rounds 5 --seconds 0.5]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openSqlite } from '../src/storage/index.ts';
import { call } from '../test/support/http.ts';
import { type HttpTarget, locksOverKeptConnections, requestsOverKeptConnections } from './support/load.ts';
import { fill } from './support/many-workspaces.ts';
import { type Measured, median, medianRatio } from './support/measure.ts';
import { type Lockkeeper, startBareHttp, startLockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '0.5' },
  },
});
const FEW = 1000;
const MANY = Number(values.workspaces);
const milliseconds = Number(values.seconds) * 1000;

interface Filled {
  readonly lockkeeper: Lockkeeper;
  readonly count: number;
  readonly tokens: Readonly<Record<Who, string>>;
}
type Who = 'owner' | 'member';
type Body = { readonly data: readonly { readonly id: string }[] };

async function startFilled(count: number): Promise<Filled> {
  const empty = await startLockkeeper();
  const { folder } = empty;
  let member = '';
  const began = performance.now();
  const lockkeeper = await empty.restart(async () => {
    const file = join(folder, 'data', 'workspaces.db');
    const database = await openSqlite({ file, report: console.error });
    member = await fill(database, join(folder, 'keyring.json'), count);
    await database.close();
  });
  console.log(`${count} workspaces: filled after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return { lockkeeper, count, tokens: { owner: lockkeeper.show.token, member } };
}

const LIST = '/api/v2/organizations/bench/workspaces';
/** The middle of all that is seen, of which there are `seen` in the server with the fewest. */
const middle = (seen: number, size: number) => `page[size]=${size}&page[number]=${Math.floor(seen / size / 2) || 1}`;

/** Path and query of a list. `seen` is how many workspaces there are to somebody. */
type Query = readonly [name: string, query: (seen: number) => string];
const QUERIES: Readonly<Record<Who, readonly Query[]>> = {
  owner: [
    ['list, page 1', () => 'page[number]=1'],
    ['list, deep', (seen) => middle(seen, 20)],
    ['list, newest change first', () => 'sort=-latest-change-at'],
    ['tag of 1 in 100', () => 'search[tags]=area-1000007&page[size]=10'],
    ['name: 1 in 8', () => 'search[name]=PAYMENT'],
    ['name: 1 in 8, deep', (seen) => `search[name]=payment&${middle(seen / 8, 20)}`],
    ['name: just one', () => 'search[name]=1000421'],
  ],
  member: [
    ['list, page 1', () => 'page[size]=5'],
    ['list, deep', (seen) => middle(seen, 5)],
    ['list, newest change first', () => 'sort=-latest-change-at&page[size]=10'],
    ['tag of 1 in 10', () => 'search[tags]=env-1000007&page[size]=1'],
    ['name: 1 in 8', () => 'search[name]=PAYMENT&page[size]=1'],
  ],
};

type Run = (target: HttpTarget, side: Filled) => Promise<Measured>;
interface Case {
  readonly name: string;
  readonly run: Run;
  /** What the bare server answers. */
  readonly bytes: string;
}

const get = ({ lockkeeper }: Filled, path: string, token: string) =>
  call({ address: `https://127.0.0.1:${lockkeeper.tls.port}`, ca: lockkeeper.tls.ca }, 'GET', path, { token });

async function casesOf(who: Who, sides: readonly Filled[]): Promise<Case[]> {
  const share = who === 'owner' ? 1 : 100;
  const size = who === 'owner' ? 100 : 10;
  const shown = new Map<Filled, string[]>();
  for (const side of sides) {
    const { text, body } = await get(side, `${LIST}?page[size]=${size}`, side.tokens[who]);
    if ((body as Body).data.length !== size) throw new Error(`not what was filled in: ${text.slice(0, 300)}`);
    shown.set(
      side,
      (body as Body).data.map(({ id }) => `/api/v2/workspaces/${id}`),
    );
  }
  const [many] = sides;
  if (many === undefined) return [];
  const pathsOf = (side: Filled) => shown.get(side) ?? [];
  const bytesOf = async (path: string) => (await get(many, path, many.tokens[who])).text;

  const lists = QUERIES[who].map(async ([name, query]): Promise<Case> => {
    const pathOf = ({ count }: Filled) => `${LIST}?${query(count / share)}`;
    const lengths = await Promise.all(
      sides.map(async (side) => (await get(side, pathOf(side), side.tokens[who])).body),
    );
    const [most, few] = lengths.map((body) => (body as Body).data.length);
    if (most !== few) console.log(`note: ${who}, ${name}: ${most} items beside ${few}`);
    const run: Run = (target, side) =>
      requestsOverKeptConnections(target, pathOf(side), side.tokens[who], milliseconds);
    return { name: `${who}: ${name}`, run, bytes: await bytesOf(pathOf(many)) };
  });
  const bytes = await bytesOf(pathsOf(many)[0] ?? '');
  const show: Run = (target, side) =>
    requestsOverKeptConnections(target, pathsOf(side)[0] ?? '', side.tokens[who], milliseconds);
  const lock: Run = (target, side) => locksOverKeptConnections(target, pathsOf(side), side.tokens[who], milliseconds);
  return [
    { name: `${who}: show`, run: show, bytes },
    ...(await Promise.all(lists)),
    { name: `${who}: lock and unlock`, run: lock, bytes },
  ];
}

const few = await startFilled(FEW);
const many = await startFilled(MANY);
try {
  console.log(`\n${''.padEnd(36)}server CPU, µs for one${''.padEnd(10)}${MANY} / ${FEW}      ${MANY} / bare`);
  console.log(
    `${''.padEnd(36)}  ${String(MANY).padStart(7)} ${String(FEW).padStart(7)}    bare        CPU   time      CPU   time`,
  );
  const cases = [...(await casesOf('owner', [many, few])), ...(await casesOf('member', [many, few]))];
  for (const { name, run, bytes } of cases) {
    const bare = await startBareHttp({ folder: many.lockkeeper.folder, show: { path: '', token: '', bytes } });
    const measured: Measured[][] = [[], [], []];
    for (let round = 0; round <= Number(values.rounds); round++) {
      const runs = [
        () => run(many.lockkeeper.plain, many),
        () => run(few.lockkeeper.plain, few),
        () => run(bare, many),
      ];
      for (const [side, one] of runs.entries()) {
        const result = await one();
        if (round > 0) measured[side]?.push(result);
      }
    }
    await bare.stop();
    const [ofMany = [], ofFew = [], ofBare = []] = measured;
    const cpu = (rounds: readonly Measured[]) =>
      median(rounds.map((one) => one.cpu))
        .toFixed(0)
        .padStart(7);
    const ratio = (pair: readonly Measured[][], figure: 'cpu' | 'wall') => medianRatio(pair, figure).padStart(6);
    console.log(
      `${name.padEnd(36)}  ${cpu(ofMany)} ${cpu(ofFew)} ${cpu(ofBare)}     ` +
        `${ratio([ofMany, ofFew], 'cpu')} ${ratio([ofMany, ofFew], 'wall')}   ` +
        `${ratio([ofMany, ofBare], 'cpu')} ${ratio([ofMany, ofBare], 'wall')}`,
    );
  }
} finally {
  await many.lockkeeper.stop();
  await few.lockkeeper.stop();
}
