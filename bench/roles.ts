/**
 * Measures the cost of a login with many roles: one role compared with 10,000 (each with its own CA), with and without
 * the role name, on kept connections without handshakes. Also measures the memory of the roles: the additional
 * resident memory after two seconds of logins, as the median of several starts, because garbage collection varies
 * between starts.
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
    // Uses fresh processes, to exclude memory that writing the roles has left behind.
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
