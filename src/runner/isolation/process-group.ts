import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBounding } from './bounds/rlimits.ts';
import type { Ended } from './isolation.ts';

/** Interval between two checks of a process, in ms. */
const INTERVAL = 5;

/**
 * Sends SIGINT to a process group once the command runs. A shell loses a signal that arrives while it executes the
 * command.
 * @param find returns the process of the command; undefined while there is none
 * @param isOver whether the command has ended
 */
export async function signalWhenStarted(
  group: number | undefined,
  find: () => number | undefined,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver() && !isStarted(find())) await sleep(INTERVAL);
  if (!isOver()) signalGroup(group, 'SIGINT');
}

/** Returns whether a process runs the command, and not the shell that sets its limits. */
function isStarted(pid: number | undefined): boolean {
  return pid !== undefined && !isBounding(textOf(`/proc/${pid}/cmdline`));
}

/** Returns the first child of a process. */
export function firstChild(pid: number): number | undefined {
  const first = Number.parseInt(textOf(`/proc/${pid}/task/${pid}/children`), 10);
  return Number.isNaN(first) ? undefined : first;
}

/** Returns an empty text if the file does not exist. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** Sends a signal to a process group, if it exists. */
export function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // This error means that the process group has ended.
  }
}

/**
 * Waits until the process has ended and its streams are closed.
 * @param onExit called at the exit, before the streams close: it can kill processes that hold them open
 */
export async function endOf(child: ChildProcess, onExit: () => void): Promise<Ended> {
  child.once('exit', onExit);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal };
}

/** @limit time for the processes of an engine to end after a kill, ms -> the job continues */
const LONGEST_END = 10_000;

/** Waits until the first process of a PID namespace, and so all others, have ended. A zombie counts as ended. */
export async function goneWith(first: number | undefined): Promise<void> {
  for (let waited = 0; first !== undefined && isAlive(first) && waited < LONGEST_END; waited += INTERVAL)
    await sleep(INTERVAL);
}

function isAlive(pid: number): boolean {
  const status = textOf(`/proc/${pid}/stat`);
  return status !== '' && !/^\) [ZX]/.test(status.slice(status.lastIndexOf(')')));
}
