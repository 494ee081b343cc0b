import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** What a process and all that it has started take now. */
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
/** Of `/proc/PID/stat`, behind the name: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const [PARENT, THREADS] = [1, 17];

/** @returns null when the process is not there */
export function usageOf(root: number): Usage | null {
  const children = new Map<number, number[]>();
  const threads = new Map<number, number>();
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    const stat = textOf(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const parent = Number(fields[PARENT]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
    threads.set(pid, Number(fields[THREADS]) || 0);
  }
  if (!threads.has(root)) return null;
  const all = [root];
  for (let at = 0; at < all.length; at++) all.push(...(children.get(all[at] ?? 0) ?? []));
  const sum = (of: (pid: number) => number): number => all.reduce((total, pid) => total + of(pid), 0);
  return { processes: sum((pid) => threads.get(pid) ?? 0), memory: sum(memoryOf), unnamed: sum(unnamedOf) };
}

function memoryOf(pid: number): number {
  const [, resident = 0, shared = 0] = textOf(`/proc/${pid}/statm`).split(' ').map(Number);
  return (resident - shared) * PAGE;
}

function unnamedOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return entriesOf(folder).reduce((total, fd) => total + unnamedIn(`${folder}/${fd}`), 0);
}

function unnamedIn(fd: string): number {
  try {
    return readlinkSync(fd).endsWith(' (deleted)') ? statSync(fd).blocks * BLOCK : 0;
  } catch {
    return 0;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty where there is none. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
