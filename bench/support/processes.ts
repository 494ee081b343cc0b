import { readdirSync, readFileSync } from 'node:fs';

const MIB = 1024;

/** Returns a process and its descendants. */
export function family(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return [pid, ...children.map(Number)];
}

/** Returns user and system time of each thread, microseconds. The kernel counts in hundredths of a second. */
export function threadTimes(pids: readonly number[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const pid of pids) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      times.set(thread, (Number(fields[11]) + Number(fields[12])) * 10_000);
    }
  }
  return times;
}

/** Returns proportional memory (private plus a share of shared pages), MiB. */
export function memory(pid: number): { readonly own: number; readonly withShared: number; readonly resident: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / MIB;
  return { own: field('Private_Dirty') + field('Private_Clean'), withShared: field('Pss'), resident: field('Rss') };
}
