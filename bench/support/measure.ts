import { readFileSync } from 'node:fs';

/** One round against one server. */
export interface Measured {
  readonly operations: number;
  /** Microseconds of time for one operation, all connections together. */
  readonly wall: number;
  /** Microseconds of the server's CPU for one operation. */
  readonly cpu: number;
}

/** Runs a load and attributes the server's CPU to it. `load` returns the number of operations. */
export async function measure(pid: number, load: () => Promise<number>): Promise<Measured> {
  const cpuBefore = cpuMicroseconds(pid);
  const before = performance.now();
  const operations = await load();
  const wall = (performance.now() - before) * 1000;
  return { operations, wall: wall / operations, cpu: (cpuMicroseconds(pid) - cpuBefore) / operations };
}

/** User and system time of a process; the kernel counts in hundredths of a second. */
function cpuMicroseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Of the ratios round by round: both sides of a round meet the same machine. */
export function medianRatio([ours = [], bare = []]: readonly (readonly Measured[])[], figure: 'wall' | 'cpu'): string {
  return median(ours.map((one, round) => one[figure] / (bare[round]?.[figure] ?? Number.NaN))).toFixed(2);
}

/** Microseconds that ours takes more than the bare one, and as a share of ours: the medians, round by round again. */
export function medianDifference([ours = [], bare = []]: readonly (readonly Measured[])[]): {
  readonly cpu: number;
  readonly share: number;
} {
  const differences = ours.map((one, round) => ({ of: one.cpu, more: one.cpu - (bare[round]?.cpu ?? Number.NaN) }));
  return {
    cpu: median(differences.map(({ more }) => more)),
    share: median(differences.map(({ of, more }) => more / of)),
  };
}

export function report(name: string, rounds: readonly Measured[]): void {
  const figure = (of: 'wall' | 'cpu') =>
    median(rounds.map((round) => round[of]))
      .toFixed(0)
      .padStart(6);
  console.log(`${name.padEnd(52)} ${figure('cpu')} µs CPU  ${figure('wall')} µs`);
}
