import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended } from './isolation.ts';

/** Between two looks at a process, ms. */
const INTERVAL = 5;

/**
 * When a process has started another one.
 * @param isOver whether it will not any more
 */
export async function hasStarted(pid: number, isOver: () => boolean): Promise<void> {
  while (!isOver() && childrenOf(pid) === '') await sleep(INTERVAL);
}

function childrenOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
  } catch {
    // It has ended, or the kernel does not tell.
    return undefined;
  }
}

/** Sends a signal to a group of processes, if it is there. */
export function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // It has ended.
  }
}

/**
 * When the process has ended and its streams are closed.
 * @param onExit before the streams are: what holds them open can be ended
 */
export async function endOf(child: ChildProcess, onExit: () => void): Promise<Ended> {
  child.once('exit', onExit);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal };
}

/** @limit the end of what an engine started, after it was killed, ms -> the job goes on */
const LONGEST_END = 10_000;

/** When the first process of a namespace has ended, and all others of it with it. It may be there as a zombie. */
export async function goneWith(first: number | undefined): Promise<void> {
  for (let waited = 0; first !== undefined && isAlive(first) && waited < LONGEST_END; waited += INTERVAL)
    await sleep(INTERVAL);
}

function isAlive(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^\) [ZX]/.test(status.slice(status.lastIndexOf(')')));
  } catch {
    return false;
  }
}
