/**
 * Measures the server's cost of the most common operations, compared with a bare Node.js server that returns the same
 * bytes to the same client over the same kind of connection. Rounds alternate, and each server is its own process.
 * Ratios are comparable between machines, absolute values are not.
 *
 *     npm run bench [-- --database postgres --workspaces 20000 --rounds 5 --seconds 1 --only show]
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createRoot, generateKey } from '../src/pki/index.ts';
import { needDatabase, startFilled } from './support/filled.ts';
import { Lane, type Request, type Target } from './support/lane.ts';
import {
  apiRequest,
  bareHandshakes,
  locksOverKeptConnections,
  loginRequest,
  overKeptConnections,
  overNewConnections,
} from './support/load.ts';
import { type Measured, median, medianRatio } from './support/measure.ts';
import { startBareHttp, startBareHttps, startBareTls } from './support/servers.ts';
import { steadily } from './support/steadily.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    workspaces: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
needDatabase(values.database);
const rounds = Number(values.rounds);
const milliseconds = Number(values.seconds) * 1000;

interface Line {
  readonly name: string;
  /** A measurement of our server and the reference, with equal numbers of requests in an operation. */
  readonly ours: () => Promise<Measured>;
  readonly bare: () => Promise<Measured>;
}

const { lockkeeper } = await startFilled(values.database, Number(values.workspaces));
const { tls, plain, rootToken } = lockkeeper;
const token = lockkeeper.show.token;
const organization = '/api/v2/organizations/bench';

/** The reference returns our server's response. */
async function answerTo(target: Target, request: Request): Promise<string> {
  const lane = await Lane.open(target);
  const text = await lane.send(request);
  lane.close();
  return text;
}

const loginBytes = await answerTo(tls, loginRequest());
const listBytes = await answerTo(plain, apiRequest('GET', `${organization}/workspaces?page[number]=1`, token));
const lookup: Request = { method: 'GET', path: '/v1/auth/token/lookup-self', headers: { 'x-vault-token': rootToken } };
const lookupBytes = await answerTo(tls, lookup);
const show = apiRequest('GET', lockkeeper.show.path, token);
const list = apiRequest('GET', `${organization}/workspaces?page[number]=1`, token);
const locked = (JSON.parse(listBytes) as { data: { id: string }[] }).data.map(({ id }) => `/api/v2/workspaces/${id}`);

const bareTls = await startBareTls(lockkeeper);
const bareLogin = await startBareHttps(lockkeeper, loginBytes);
const bareLookup = await startBareHttps(lockkeeper, lookupBytes);
const bareShow = await startBareHttp(lockkeeper, lockkeeper.show.bytes);
const bareList = await startBareHttp(lockkeeper, listBytes);

const sending = (request: Request) => (lane: Lane) => lane.send(request);
const kept = (target: Target, request: Request, lanes?: number) => () =>
  overKeptConnections(target, sending(request), milliseconds, lanes);

function create(): Request {
  const attributes = { name: `created-${randomUUID()}` };
  return apiRequest('POST', `${organization}/workspaces`, token, { data: { type: 'workspaces', attributes } });
}

const key = generateKey();
const authorities = Array.from({ length: 50 }, (_, n) => createRoot({ subject: `Authority ${n}`, key }).pem);
let roles = 0;
function writeRole(): Request {
  const certificate = authorities[roles++ % authorities.length];
  const body = JSON.stringify({ certificate, allowed_common_names: `host-${roles}.*` });
  const headers = { 'x-vault-token': rootToken, 'content-type': 'application/json' };
  return { method: 'POST', path: `/v1/auth/cert/certs/role-${roles}`, headers, body };
}

/** Meanwhile another workspace is written twenty times a second. */
function besideWrites(run: () => Promise<Measured>): Promise<Measured> {
  const path = locked[0] ?? '';
  const attributes = () => ({ description: randomUUID() });
  const write = () => apiRequest('PATCH', path, token, { data: { type: 'workspaces', attributes: attributes() } });
  return steadily(plain, write, 20, run);
}

const bareTwice = () =>
  overKeptConnections(
    bareShow,
    async (lane) => {
      await lane.send(apiRequest('POST', '/', token, {}));
      await lane.send(apiRequest('POST', '/', token, {}));
    },
    milliseconds,
  );

const lines: readonly Line[] = [
  {
    name: 'login on a new connection / the handshake alone',
    ours: () => overNewConnections(tls, sending(loginRequest()), milliseconds),
    bare: () => bareHandshakes(bareTls, milliseconds),
  },
  {
    name: 'login on a new connection',
    ours: () => overNewConnections(tls, sending(loginRequest()), milliseconds),
    bare: () => overNewConnections(bareLogin, sending(loginRequest()), milliseconds),
  },
  ...[8, 32].map((lanes) => ({
    name: `login on a kept connection, ${lanes} clients`,
    ours: kept(tls, loginRequest(), lanes),
    bare: kept(bareLogin, loginRequest(), lanes),
  })),
  { name: 'look-up of a token', ours: kept(tls, lookup), bare: kept(bareLookup, lookup) },
  {
    name: 'writing a role',
    ours: () => overKeptConnections(tls, (lane) => lane.send(writeRole()), milliseconds),
    bare: () => overKeptConnections(bareLookup, (lane) => lane.send(writeRole()), milliseconds),
  },
  { name: 'show a workspace', ours: kept(plain, show), bare: kept(bareShow, show) },
  {
    name: 'show, 20 writes a second beside it',
    ours: () => besideWrites(kept(plain, show)),
    bare: kept(bareShow, show),
  },
  { name: 'list of 20', ours: kept(plain, list), bare: kept(bareList, list) },
  {
    name: 'lock and unlock',
    ours: () => locksOverKeptConnections(plain, locked, token, milliseconds),
    bare: bareTwice,
  },
  {
    name: 'create a workspace',
    ours: () => overKeptConnections(plain, (lane) => lane.send(create()), milliseconds),
    bare: () => overKeptConnections(bareShow, (lane) => lane.send(create()), milliseconds),
  },
];

async function runLine({ name, ours, bare }: Line): Promise<void> {
  const measured: [Measured[], Measured[]] = [[], []];
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const [side, run] of [ours, bare].entries()) {
      const one = await run();
      if (round > 0) measured[side]?.push(one);
    }
  }
  const [of] = measured;
  const figure = (which: 'cpu' | 'database', from: readonly Measured[]) =>
    median(from.map((one) => one[which]))
      .toFixed(0)
      .padStart(6);
  const figures = [figure('cpu', of), figure('database', of), figure('cpu', measured[1])];
  const range = of.map(({ cpu }) => cpu);
  const spread = `${Math.min(...range).toFixed(0)}-${Math.max(...range).toFixed(0)}`;
  console.log(`${name.padEnd(48)} ${figures.join(' ')}   ${medianRatio(measured, 'cpu').padStart(6)}   ${spread}`);
}

const title = `${values.database}: CPU, µs for one operation`;
console.log(`\n${title.padEnd(48)}   ours     db   bare    ratio   ours, from-to`);
try {
  for (const line of lines) if (line.name.includes(values.only)) await runLine(line);
} finally {
  for (const server of [bareTls, bareLogin, bareLookup, bareShow, bareList, lockkeeper]) await server.stop();
}
