/**
 * Compares requests with 100,000 workspaces (300,000 tags, 1,000 teams), with 1,000 workspaces (3,000, 10), and with a
 * bare HTTP server that returns the same bytes: for an owner, for a member who sees one in a hundred, and for one who
 * sees half. Page sizes fit the smaller server; `deep` is the middle of the list: page 2,500 of 5,000 for the owner.
 * Rounds alternate. CPU time is that of our process; `time` includes the database.
 *
 *     npm run bench:workspaces [-- --database postgres --workspaces 100000 --rounds 5 --seconds 0.5 --only 'tag']
 */
import { parseArgs } from 'node:util';
import { call } from '../test/support/http.ts';
import { type Filled, needDatabase, startFilled } from './support/filled.ts';
import {
  type HttpTarget,
  locksOverKeptConnections,
  renamesBeforeRequests,
  requestsOverKeptConnections,
} from './support/load.ts';
import { type Measured, median, medianRatio } from './support/measure.ts';
import { startBareHttp } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    only: { type: 'string', default: '' },
    workspaces: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '0.5' },
  },
});
const FEW = 1000;
const MANY = Number(values.workspaces);
const milliseconds = Number(values.seconds) * 1000;

needDatabase(values.database);

type Who = keyof Filled['tokens'];
type Body = { readonly data: readonly { readonly id: string }[] };

async function startSearched(count: number): Promise<Filled> {
  const filled = await startFilled(values.database, count);
  const first = performance.now();
  await get(filled, `${LIST}?search[name]=payment`, filled.tokens.owner);
  console.log(`${count} workspaces: the first search after a start took ${(performance.now() - first).toFixed(0)} ms`);
  return filled;
}

const LIST = '/api/v2/organizations/bench/workspaces';
/** Page in the middle of the visible workspaces. `seen` is their number on the smallest server. */
const middle = (seen: number, size: number) => `page[size]=${size}&page[number]=${Math.floor(seen / size / 2) || 1}`;

/** Path and query of a list. `seen` is the number of workspaces visible to the user. */
type Query = readonly [name: string, query: (seen: number) => string];
const SEARCHES = (size: number): readonly Query[] => [
  ['newest change first', () => `sort=-latest-change-at&page[size]=${size}`],
  ['oldest run first', () => `sort=current-run.created-at&page[size]=${size}`],
  ['newest run first, deep', (seen) => `sort=-current-run.created-at&${middle(seen, Math.ceil(size / 2))}`],
  ['tag of 1 in 10', () => 'search[tags]=env-1000007&page[size]=1'],
  ['tag of 1 in 10, newest first', () => 'search[tags]=env-1000007&page[size]=1&sort=-latest-change-at'],
  ['not the tag of 1 in 10', () => `search[exclude-tags]=env-1000007&page[size]=${Math.ceil(size / 2)}`],
  ['tag of 1 in 10, and name', () => 'search[tags]=env-1000007&search[name]=pay&page[size]=1'],
  ['name: 1 in 8', () => 'search[name]=PAYMENT&page[size]=1'],
  ['name: 1 in 8, newest first', () => 'search[name]=PAYMENT&page[size]=1&sort=-latest-change-at'],
  ['name begins', () => 'search[wildcard-name]=sea*&page[size]=1'],
  ['status of 1 in 100', () => 'filter[current-run][status]=errored&page[size]=1'],
  ['key and value: 1 in 100', () => 'filter[tagged][0][key]=tier&filter[tagged][0][value]=t3&page[size]=1'],
  ['inherited key: 1 in 20', () => 'filter[tagged][0][key]=cost&page[size]=1'],
  ['project: 1 in 200', () => 'filter[project][id]=prj-bench1000000&page[size]=5'],
  ['project, not the tag', () => 'filter[project][id]=prj-bench1000000&search[exclude-tags]=env-1000007&page[size]=2'],
];
const QUERIES: Readonly<Record<Who, readonly Query[]>> = {
  owner: [
    ['list, page 1', () => 'page[number]=1'],
    ['list, deep', (seen) => middle(seen, 20)],
    ['tag of 1 in 100', () => 'search[tags]=area-1000007&page[size]=10'],
    ['name: 1 in 8, deep', (seen) => `search[name]=payment&${middle(seen / 8, 20)}`],
    ['name: just one', () => 'search[name]=1000421'],
    ...SEARCHES(20),
  ],
  member: [['list, page 1', () => 'page[size]=5'], ['list, deep', (seen) => middle(seen, 5)], ...SEARCHES(10)],
  half: [['list, page 1', () => 'page[number]=1'], ['list, deep', (seen) => middle(seen, 20)], ...SEARCHES(20)],
};

type Run = (target: HttpTarget, side: Filled) => Promise<Measured>;
interface Case {
  readonly name: string;
  readonly run: Run;
  /** Response of the bare server. */
  readonly bytes: string;
}

const get = ({ lockkeeper }: Filled, path: string, token: string) =>
  call({ address: `https://127.0.0.1:${lockkeeper.tls.port}`, ca: lockkeeper.tls.ca }, 'GET', path, { token });

async function casesOf(who: Who, sides: readonly Filled[]): Promise<Case[]> {
  const share = { owner: 1, half: 2, member: 100 }[who];
  const size = who === 'member' ? 10 : 100;
  const shown = new Map<Filled, string[]>();
  for (const side of sides) {
    const { text, body } = await get(side, `${LIST}?page[size]=${size}`, side.tokens[who]);
    if ((body as Body).data?.length !== size) throw new Error(`not what was filled in: ${text.slice(0, 300)}`);
    shown.set(
      side,
      (body as Body).data.map(({ id }) => `/api/v2/workspaces/${id}`),
    );
  }
  const [many] = sides;
  if (many === undefined) return [];
  const pathsOf = (side: Filled) => shown.get(side) ?? [];
  const bytesOf = async (path: string) => (await get(many, path, many.tokens[who])).text;

  const caseOf = async ([name, query]: Query): Promise<Case> => {
    const pathOf = ({ count }: Filled) => `${LIST}?${query(count / share)}`;
    const lengths: Body[] = [];
    for (const side of sides) lengths.push((await get(side, pathOf(side), side.tokens[who])).body);
    const [most, few] = lengths.map(({ data }) => data.length);
    if (most !== few) console.log(`note: ${who}, ${name}: ${most} items beside ${few}`);
    const run: Run = (target, side) =>
      requestsOverKeptConnections(target, pathOf(side), side.tokens[who], milliseconds);
    return { name: `${who}: ${name}`, run, bytes: await bytesOf(pathOf(many)) };
  };
  // Sequential warm-up requests fill the servers' caches.
  const lists: Case[] = [];
  for (const query of QUERIES[who]) lists.push(await caseOf(query));
  const bytes = await bytesOf(pathsOf(many)[0] ?? '');
  const show: Run = (target, side) =>
    requestsOverKeptConnections(target, pathsOf(side)[0] ?? '', side.tokens[who], milliseconds);
  const lock: Run = (target, side) => locksOverKeptConnections(target, pathsOf(side), side.tokens[who], milliseconds);
  const rename: Run = (target, side) => {
    const paths = { workspace: pathsOf(side)[0] ?? '', list: `${LIST}?search[name]=edge&page[size]=1` };
    return renamesBeforeRequests(target, paths, side.tokens.owner, milliseconds);
  };
  return [
    ...(who === 'owner' ? [{ name: 'owner: rename, then search by name', run: rename, bytes }] : []),
    { name: `${who}: show`, run: show, bytes },
    ...lists,
    { name: `${who}: lock and unlock`, run: lock, bytes },
  ];
}

const few = await startSearched(FEW);
const many = await startSearched(MANY);
try {
  console.log(`\n${''.padEnd(36)}server CPU, µs for one${''.padEnd(10)}${MANY} / ${FEW}      ${MANY} / bare`);
  console.log(
    `${''.padEnd(36)}  ${String(MANY).padStart(7)} ${String(FEW).padStart(7)}    bare        CPU   time      CPU   time`,
  );
  const sides = [many, few];
  const cases = [await casesOf('owner', sides), await casesOf('member', sides), await casesOf('half', sides)].flat();
  for (const { name, run, bytes } of cases) {
    if (!name.includes(values.only)) continue;
    const bare = await startBareHttp(many.lockkeeper, bytes);
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
