/**
 * From the start of the process to its first answer, and its memory: the package as it is installed, the sources, and a bare HTTP
 * server as reference, in turn, round by round. Then the memory of the package after many logins.
 *
 *     npm run bench:start [-- --rounds 5 --logins 10000]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loginsOverKeptConnections } from './support/load.ts';
import { median } from './support/measure.ts';
import { startLockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, logins: { type: 'string', default: '10000' } },
});
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BARE =
  "const s = require('node:http').createServer((q, a) => a.end('{}')).listen(0, '127.0.0.1', () => console.log(JSON.stringify({ addresses: ['http://127.0.0.1:' + s.address().port] })))";
/** Until what is left of the start is over. */
const SETTLED_MS = 1000;

interface Start {
  /** Milliseconds from the start of the process to the end of its first answer. */
  readonly time: number;
  /** Milliseconds of CPU until then. */
  readonly cpu: number;
  /** MB, a second later. */
  readonly memory: Memory;
}

interface Memory {
  /** All that is resident, the pages of the program of Node.js included, which its processes share. */
  readonly rss: number;
  /** The process's own share of it. */
  readonly pss: number;
}

/** The package, packed and installed as somebody would. */
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
  const cpu = cpuOf(child.pid);
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  const memory = memoryOf(child.pid);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { time, cpu, memory };
}

/** User and system time, milliseconds. */
function cpuOf(pid = 0): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function memoryOf(pid = 0): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(text)?.[1]) / 1024;
  return { rss: megabytes('Rss'), pss: megabytes('Pss') };
}

const inMegabytes = ({ rss, pss }: Memory) => `RSS ${rss.toFixed(0)} MB, its own share ${pss.toFixed(0)} MB`;

function report(name: string, starts: readonly Start[]): void {
  const of = (figure: (start: Start) => number) => median(starts.map(figure));
  const memory = { rss: of(({ memory: { rss } }) => rss), pss: of(({ memory: { pss } }) => pss) };
  const [time, cpu] = [of((start) => start.time), of((start) => start.cpu)].map((ms) => ms.toFixed(0).padStart(5));
  console.log(`${name.padEnd(24)} first answer ${time} ms, ${cpu} ms CPU; ${inMegabytes(memory)}`);
}

const installed = install();
const main = join(installed, 'node_modules/lockkeeper/dist/main.js');
const lockkeeper = await startLockkeeper(undefined, main);
let running = lockkeeper;
try {
  const serve = ['serve', '--config', join(lockkeeper.folder, 'lockkeeper.yaml')];
  const programs: Record<string, readonly string[]> = {
    'the package': [main, ...serve],
    'the sources': [join(ROOT, 'src/main.ts'), ...serve],
    'bare node:http': ['-e', BARE],
  };
  const starts = new Map<string, Start[]>(Object.keys(programs).map((name) => [name, []]));
  running = await lockkeeper.restart(async () => {
    // The first round fills what is kept to start sooner, and is not counted.
    for (let round = 0; round <= Number(values.rounds); round++) {
      for (const [name, args] of Object.entries(programs)) {
        const start = await startOnce(args);
        if (round > 0) starts.get(name)?.push(start);
      }
    }
  });
  for (const [name, all] of starts) report(name, all);
  const logins = Number(values.logins);
  let done = 0;
  while (done < logins) done += (await loginsOverKeptConnections(running.tls, 'bench', 1000)).operations;
  console.log(`${`after ${done} logins`.padEnd(24)} ${inMegabytes(memoryOf(running.tls.pid))}`);
} finally {
  await running.stop();
  rmSync(installed, { recursive: true });
}
