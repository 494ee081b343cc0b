/**
 * Measures the time from process start to the first response, and the memory: for the installed package, the sources,
 * and a bare HTTP server as reference, in alternating rounds. Then measures the package's memory with many workspaces:
 * idle, after many logins, and after other common requests.
 *
 *     npm run bench:start [-- --rounds 5 --logins 10000 --workspaces 20000 --seconds 10]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startFilled } from './support/filled.ts';
import { Lane } from './support/lane.ts';
import {
  apiRequest,
  locksOverKeptConnections,
  loginsOverKeptConnections,
  requestsOverKeptConnections,
} from './support/load.ts';
import { cpuMicroseconds, median } from './support/measure.ts';
import { inMegabytes, type Memory, memoryOf } from './support/memory.ts';
import { startLockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    logins: { type: 'string', default: '10000' },
    workspaces: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '10' },
  },
});
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BARE =
  "const s = require('node:http').createServer((q, a) => a.end('{}')).listen(0, '127.0.0.1', () => console.log(JSON.stringify({ addresses: ['http://127.0.0.1:' + s.address().port] })))";
/** Waits until work of the start has finished. */
const SETTLED_MS = 1000;
const QUIET_MS = 15_000;
const LIST = '/api/v2/organizations/bench/workspaces';
const LISTS = ['?page[number]=1', '?search[name]=payment', '?search[tags]=area-1000007', '?sort=-latest-change-at'];

interface Start {
  /** Time from process start to the end of the first response, milliseconds. */
  readonly time: number;
  /** CPU time until then, milliseconds. */
  readonly cpu: number;
  /** Memory one second later, MB. */
  readonly memory: Memory;
}

/** Packs and installs the package as a user would. */
function install(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-package-'));
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const npm = (args: string[], cwd: string) => execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  const packed = npm(['pack', '--silent', '--pack-destination', folder], ROOT).trim().split('\n').at(-1) ?? '';
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(['install', '--no-audit', join(folder, packed)], folder);
  return folder;
}

async function startOnce(args: readonly string[]): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  child.stdout.resume();
  const [incoming] = await once(
    get(`${JSON.parse(line).addresses.at(-1)}/healthz/ready`, { agent: false }),
    'response',
  );
  await once(incoming.resume(), 'end');
  const time = performance.now() - began;
  const { pid = 0 } = child;
  const cpu = cpuMicroseconds(pid) / 1000;
  await sleep(SETTLED_MS);
  const memory = memoryOf(pid);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { time, cpu, memory };
}

function report(name: string, starts: readonly Start[]): void {
  const of = (figure: (start: Start) => number) => median(starts.map(figure));
  const memory = { rss: of(({ memory: { rss } }) => rss), pss: of(({ memory: { pss } }) => pss) };
  const [time, cpu] = [of((start) => start.time), of((start) => start.cpu)].map((ms) => ms.toFixed(0).padStart(5));
  console.log(`${name.padEnd(24)} first answer ${time} ms, ${cpu} ms CPU; ${inMegabytes(memory)}`);
}

/** Starts the programs in turn, each the given number of times. */
async function measureStarts(main: string): Promise<void> {
  const lockkeeper = await startLockkeeper(undefined, main);
  const serve = ['serve', '--config', join(lockkeeper.folder, 'lockkeeper.yaml')];
  const programs: Record<string, readonly string[]> = {
    'the package': [main, ...serve],
    'the sources': [join(ROOT, 'src/main.ts'), ...serve],
    'bare node:http': ['-e', BARE],
  };
  const starts = new Map<string, Start[]>(Object.keys(programs).map((name) => [name, []]));
  const again = await lockkeeper.restart(async () => {
    // The first round fills the start-up cache and does not count.
    for (let round = 0; round <= Number(values.rounds); round++) {
      for (const [name, args] of Object.entries(programs)) {
        const start = await startOnce(args);
        if (round > 0) starts.get(name)?.push(start);
      }
    }
  });
  await again.stop();
  for (const [name, all] of starts) report(name, all);
}

async function measureMemory(main: string): Promise<void> {
  const { lockkeeper } = await startFilled('sqlite', Number(values.workspaces), { main });
  const { tls, plain, show } = lockkeeper;
  const print = (when: string) => console.log(`${when.padEnd(32)} ${inMegabytes(memoryOf(tls.pid))}`);
  try {
    await sleep(SETTLED_MS);
    print('idle');
    let done = 0;
    while (done < Number(values.logins)) done += (await loginsOverKeptConnections(tls, 'bench', 1000)).operations;
    print(`after ${done} logins`);
    const milliseconds = Number(values.seconds) * 1000;
    await requestsOverKeptConnections(plain, show.path, show.token, milliseconds);
    for (const query of LISTS) await requestsOverKeptConnections(plain, LIST + query, show.token, milliseconds);
    const first = await Lane.open(plain);
    const { data } = JSON.parse(await first.send(apiRequest('GET', LIST, show.token))) as { data: { id: string }[] };
    first.close();
    const paths = data.map(({ id }) => `/api/v2/workspaces/${id}`);
    await locksOverKeptConnections(plain, paths, show.token, milliseconds);
    print('after shows, lists and locks');
    await sleep(QUIET_MS);
    print(`${QUIET_MS / 1000} s later`);
  } finally {
    await lockkeeper.stop();
  }
}

const installed = install();
// Uses one CA, so that the number of system CAs does not matter.
delete process.env.NODE_EXTRA_CA_CERTS;
try {
  const main = join(installed, 'node_modules/lockkeeper/dist/main.js');
  await measureStarts(main);
  await measureMemory(main);
} finally {
  rmSync(installed, { recursive: true });
}
