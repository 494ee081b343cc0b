import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** Current resource usage of a process and its descendants. */
export interface Usage {
  /** Number of processes, including threads. */
  readonly processes: number;
  /** Memory in bytes. Memory that several processes share counts once. */
  readonly memory: number;
  /** Bytes of files that are deleted but still open. */
  readonly unnamed: number;
}

const BLOCK = 512;
/** Proportional set size of anonymous and shared memory: each process counts its share, and files are excluded. */
const TAKEN = /^Pss_(?:Anon|Shmem): +(\d+) kB$/gm;

/** Returns the resource usage of a process and its descendants; null if the process does not exist. */
export function usageOf(root: number): Usage | null {
  let [processes, memory] = [0, 0];
  // Keyed by device and inode, because processes can share open files.
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
    // This error means that the file was closed meanwhile.
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Lists a directory. Returns an empty list if it does not exist. */
const numbersIn = (file: string): number[] => textOf(file).split(' ').filter(Boolean).map(Number);

/** Reads a file. Returns an empty text if it does not exist. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
