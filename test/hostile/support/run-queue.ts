import { readFileSync } from 'node:fs';

/**
 * Returns the milliseconds that the main thread of a process was runnable but waited for a CPU, since the process
 * started. Returns 0 where the kernel does not report it.
 */
export function waitedForCore(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
