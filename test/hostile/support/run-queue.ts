import { readFileSync } from 'node:fs';

/**
 * Returns the time in milliseconds that the main thread of a process was ready to run while other processes used the
 * cores, since the process started. Returns 0 if the kernel does not provide it.
 */
export function waitedForCore(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
