import { readFileSync } from 'node:fs';

/**
 * Milliseconds that the main thread of a process was ready to run while the machine's cores were with others, since the process began.
 * Nothing where the kernel does not say it.
 */
export function waitedForCore(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
