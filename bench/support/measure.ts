import { readFileSync } from 'node:fs';

/** Result of one round against one server. */
export interface Measured {
  readonly operations: number;
  /** Wall time of one operation across all connections, microseconds. */
  readonly wall: number;
  /** Server CPU time of one operation, microseconds. */
  readonly cpu: number;
  /** PostgreSQL CPU time of one operation, microseconds. 0 on SQLite. */
  readonly database: number;
}

/** PostgreSQL of all servers of a benchmark. */
const postmaster = Number(process.env.LOCKKEEPER_TEST_POSTGRES_PID ?? 0);

/** Runs a load and attributes the server's CPU to it. `load` returns the number of operations. */
export async function measure(pid: number, load: () => Promise<number>): Promise<Measured> {
  const cpuBefore = cpuMicroseconds(pid);
  const databaseBefore = databaseMicroseconds();
  const before = performance.now();
  const operations = await load();
  const wall = (performance.now() - before) * 1000;
  return {
    operations,
    wall: wall / operations,
    cpu: (cpuMicroseconds(pid) - cpuBefore) / operations,
    database: (databaseMicroseconds() - databaseBefore) / operations,
  };
}

/** Returns the fields of `/proc/PID/stat` after the name. The first is the state: field 3 of proc_pid_stat(5). */
function statOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
}

/** Returns user and system time of a process. The kernel counts in hundredths of a second. */
export function cpuMicroseconds(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Returns the resident memory of a process, MB. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Includes the server, its children, and exited children. */
function databaseMicroseconds(): number {
  if (postmaster === 0) return 0;
  const ended = statOf(postmaster);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  const pids = [postmaster, ...children.map(Number)];
  const alive = pids.map((pid) => cpuMicroseconds(pid)).reduce((sum, one) => sum + one, 0);
  return alive + (Number(ended[13]) + Number(ended[14])) * 10_000;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Returns the median of the ratios by round, because both sides of a round see equal machine load. */
export function medianRatio([ours = [], bare = []]: readonly (readonly Measured[])[], figure: 'wall' | 'cpu'): string {
  return median(ours.map((one, round) => one[figure] / (bare[round]?.[figure] ?? Number.NaN))).toFixed(2);
}

export function report(name: string, rounds: readonly Measured[]): void {
  const figure = (of: 'wall' | 'cpu') =>
    median(rounds.map((round) => round[of]))
      .toFixed(0)
      .padStart(6);
  console.log(`${name.padEnd(52)} ${figure('cpu')} µs CPU  ${figure('wall')} µs`);
}
