/**
 * Two ratios in one run: what a login costs beside a bare TLS handshake (and what of it is not the handshake), and what
 * showing a workspace costs beside a bare HTTP server that answers the same bytes. Each pair runs in turn, round by round,
 * each server as a process of its own. Absolute figures do not hold from machine to machine; the ratios do.
 *
 *     npm run bench [-- --rounds 7 --seconds 2]
 */
import { parseArgs } from 'node:util';
import { loginOverNewConnections, requestsOverKeptConnections } from './support/load.ts';
import { type Measured, medianDifference, medianRatio, report } from './support/measure.ts';
import { startBareHttp, startBareTls, startLockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' } },
});
const rounds = Number(values.rounds);
const milliseconds = Number(values.seconds) * 1000;

const lockkeeper = await startLockkeeper();
const bareTls = await startBareTls(lockkeeper);
const bareHttp = await startBareHttp(lockkeeper);
const { show } = lockkeeper;
try {
  const login: Measured[][] = [[], []];
  const reading: Measured[][] = [[], []];
  // The first round warms up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const pairs = [
      [login[0], () => loginOverNewConnections(lockkeeper.tls, 'POST /v1/auth/cert/login', milliseconds)],
      [login[1], () => loginOverNewConnections(bareTls, undefined, milliseconds)],
      [reading[0], () => requestsOverKeptConnections(lockkeeper.plain, show.path, show.token, milliseconds)],
      [reading[1], () => requestsOverKeptConnections(bareHttp, show.path, show.token, milliseconds)],
    ] as const;
    for (const [results, run] of pairs) {
      const measured = await run();
      if (round > 0) results?.push(measured);
    }
  }
  report('TLS handshake with client certificate + login', login[0] ?? []);
  report('bare node:tls handshake with client certificate', login[1] ?? []);
  report(`show a workspace (${show.bytes.length} bytes)`, reading[0] ?? []);
  report('bare node:http, same bytes', reading[1] ?? []);
  console.log(
    `\nlogin / bare handshake      server CPU ${medianRatio(login, 'cpu')}   time ${medianRatio(login, 'wall')}`,
  );
  const { cpu, share } = medianDifference(login);
  console.log(
    `login − bare handshake      server CPU ${cpu.toFixed(0)} µs, ${(share * 100).toFixed(0)} % of the whole login`,
  );
  console.log(
    `show  / bare http server    server CPU ${medianRatio(reading, 'cpu')}   time ${medianRatio(reading, 'wall')}`,
  );
} finally {
  for (const server of [bareTls, bareHttp, lockkeeper]) await server.stop();
}
