import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** Current resource usage of a process and its descendants. */
export interface Usage {
  /** With threads. */
  readonly processes: number;
  /** Bytes, those that processes share among themselves included, once. */
  readonly memory: number;
  /** Bytes of files that have no name any more. */
  readonly unnamed: number;
}

const BLOCK = 512;
/** Memory that a program has written to, without what is also in a file: of what several processes have in common, each has its share. */
const TAKEN = /^Pss_(?:Anon|Shmem): +(\d+) kB$/gm;

/** @returns null when the process is not there */
export function usageOf(root: number): Usage | null {
  let [processes, memory] = [0, 0];
  // By what they are: processes have files in common.
  const unnamed = new Map<string, number>();
  const rest = [root];
  for (let pid = rest.pop(); pid !== undefined; pid = rest.pop()) {
    const threads = entriesOf(`/proc/${pid}/task`);
    processes += threads.length;
    memory += memoryOf(pid);
    for (const fd of entriesOf(`/proc/${pid}/fd`)) noteUnnamed(`/proc/${pid}/fd/${fd}`, unnamed);
    for (const thread of threads) rest.push(...numbersIn(`/proc/${pid}/task/${thread}/children`));
  }
  const bytes = [...unnamed.values()].reduce((total, size) => total + size, 0);
  return processes === 0 ? null : { processes, memory, unnamed: bytes };
}

function memoryOf(pid: number): number {
  const kilobytes = [...textOf(`/proc/${pid}/smaps_rollup`).matchAll(TAKEN)].map(([, size]) => Number(size));
  return kilobytes.reduce((total, size) => total + size, 0) * 1024;
}

function noteUnnamed(fd: string, sizes: Map<string, number>): void {
  try {
    if (!readlinkSync(fd).endsWith(' (deleted)')) return;
    const { dev, ino, blocks } = statSync(fd);
    sizes.set(`${dev} ${ino}`, blocks * BLOCK);
  } catch {
    // It is closed by now.
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** None where there is no such file. */
const numbersIn = (file: string): number[] => textOf(file).split(' ').filter(Boolean).map(Number);

/** Empty where there is none. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
