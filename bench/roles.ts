/**
 * What a login costs as roles become many: one role beside 10,000 (each with an authority of its own), with and without
 * the name of the role, on connections that stay open, so that no handshake is in the figures. And the memory that the
 * roles take: how much more is resident after two seconds of logins, the median of several starts, as what the garbage
 * collector leaves for later differs from start to start.
 *
 *     npm run bench:roles [-- --roles 10000 --rounds 5 --seconds 2 --starts 5]
 */
import { parseArgs } from 'node:util';
import { loginsOverKeptConnections } from './support/load.ts';
import { type Measured, median, medianRatio, report, residentMegabytes } from './support/measure.ts';
import { addRoles, startLockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    roles: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    starts: { type: 'string', default: '5' },
  },
});
const count = Number(values.roles);
const milliseconds = Number(values.seconds) * 1000;

let one = await startLockkeeper();
let many = await startLockkeeper();
try {
  await addRoles(many, count);
  const grown: number[] = [];
  for (let start = 0; start < Number(values.starts); start++) {
    // Fresh processes: what is left over from writing the roles is not what keeping them takes.
    one = await one.restart();
    many = await many.restart();
    for (const { tls } of [one, many]) await loginsOverKeptConnections(tls, 'bench', 2000);
    grown.push(residentMegabytes(many.tls.pid) - residentMegabytes(one.tls.pid));
  }

  const named: Measured[][] = [[], []];
  const unnamed: Measured[][] = [[], []];
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [results, name] of [
      [named, 'bench'],
      [unnamed, ''],
    ] as const) {
      for (const [side, server] of [many, one].entries()) {
        const measured = await loginsOverKeptConnections(server.tls, name, milliseconds);
        if (round > 0) results[side]?.push(measured);
      }
    }
  }
  report(`login with a name, ${count} roles`, named[0] ?? []);
  report('login with a name, 1 role', named[1] ?? []);
  report(`login without a name, ${count} roles`, unnamed[0] ?? []);
  report('login without a name, 1 role', unnamed[1] ?? []);
  console.log(
    `\n${count} roles / 1 role, with a name      server CPU ${medianRatio(named, 'cpu')}   time ${medianRatio(named, 'wall')}`,
  );
  console.log(
    `${count} roles / 1 role, without a name   server CPU ${medianRatio(unnamed, 'cpu')}   time ${medianRatio(unnamed, 'wall')}`,
  );
  const [least, most] = [Math.min(...grown), Math.max(...grown)].map((megabytes) => megabytes.toFixed(0));
  console.log(`memory of ${count} roles                   ${median(grown).toFixed(0)} MB (${least} to ${most})`);
} finally {
  await many.stop();
  await one.stop();
}
