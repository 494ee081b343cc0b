import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBounding } from './bounds/rlimits.ts';
import type { Ended } from './isolation.ts';

/** Between two looks at a process, ms. */
const INTERVAL = 5;

/**
 * Sends a signal when there is somebody to get it: shells lose one that comes while they are replaced.
 * @param find the process that is to get it, undefined while there is none
 * @param isOver whether there will be none any more
 */
export async function signalWhenStarted(
  group: number | undefined,
  find: () => number | undefined,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver() && !isStarted(find())) await sleep(INTERVAL);
  if (!isOver()) signalGroup(group, 'SIGINT');
}

/** Whether a process is what was to be started, and not the shell that bounds it. */
function isStarted(pid: number | undefined): boolean {
  return pid !== undefined && !isBounding(textOf(`/proc/${pid}/cmdline`));
}

/** The first process that another one has started. */
export function firstChild(pid: number): number | undefined {
  const first = Number.parseInt(textOf(`/proc/${pid}/task/${pid}/children`), 10);
  return Number.isNaN(first) ? undefined : first;
}

/** Empty where there is none. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
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
  const status = textOf(`/proc/${pid}/stat`);
  return status !== '' && !/^\) [ZX]/.test(status.slice(status.lastIndexOf(')')));
}
