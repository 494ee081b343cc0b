import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Ended } from './isolation.ts';

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
