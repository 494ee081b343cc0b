import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** Current resource usage of a process and its descendants. */
export interface Usage {
  /** With threads. */
  readonly processes: number;
  /** Bytes that no other process has. */
  readonly memory: number;
  /** Bytes of files that have no name any more. */
  readonly unnamed: number;
}

const PAGE = 4096;
const BLOCK = 512;

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
  const [, resident = 0, shared = 0] = numbersIn(`/proc/${pid}/statm`);
  return (resident - shared) * PAGE;
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
function numbersIn(file: string): number[] {
  try {
    return readFileSync(file, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
