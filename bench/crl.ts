/**
 * Compares a login with a CRL of a million entries and one without a CRL, on kept connections.
 *
 *     npm run bench:crl [-- --entries 1000000 --rounds 5 --seconds 2]
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { call } from '../test/support/http.ts';
import { loginsOverKeptConnections } from './support/load.ts';
import { type Measured, medianRatio, report } from './support/measure.ts';
import { startLockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});
const milliseconds = Number(values.seconds) * 1000;
const serials = Array.from({ length: Number(values.entries) }, (_, i) => (1n << 120n) + BigInt(i) * 7919n);

const plain = await startLockkeeper();
const listed = await startLockkeeper();
const { der } = listed.clientCa.crl({ revoked: serials });
const distribution = createServer((_request, response) => response.end(der)).listen(0, '127.0.0.1');
await once(distribution, 'listening');
try {
  const started = performance.now();
  const answer = await call(
    { address: `https://127.0.0.1:${listed.tls.port}`, ca: listed.tls.ca },
    'POST',
    '/v1/auth/cert/crls/big',
    { token: listed.rootToken, body: { url: `http://127.0.0.1:${(distribution.address() as AddressInfo).port}/` } },
  );
  if (answer.status !== 204) throw new Error(`the list was refused: ${answer.text}`);
  console.log(
    `${values.entries} entries, ${(der.length / 1e6).toFixed(1)} MB: in force after ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
  const login: Measured[][] = [[], []];
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [side, server] of [listed, plain].entries()) {
      const measured = await loginsOverKeptConnections(server.tls, 'bench', milliseconds);
      if (round > 0) login[side]?.push(measured);
    }
  }
  report(`login with a list of ${values.entries}`, login[0] ?? []);
  report('login without a list', login[1] ?? []);
  console.log(
    `\nwith the list / without   server CPU ${medianRatio(login, 'cpu')}   time ${medianRatio(login, 'wall')}`,
  );
} finally {
  distribution.close();
  await listed.stop();
  await plain.stop();
}
