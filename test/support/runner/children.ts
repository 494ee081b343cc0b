import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../command.ts';

/** Waits for a descendant of a command with arguments like these. @returns its PID */
export async function childOf({ process: { pid = 0 } }: Command, args: RegExp): Promise<number> {
  for (const end = performance.now() + 60_000; performance.now() < end; await sleep(10)) {
    const found = descendantsOf(pid).find((one) => args.test(textOf(one, 'cmdline').replaceAll('\0', ' ')));
    if (found !== undefined) return found;
  }
  throw new Error(`no process with ${args} was started`);
}

/** Returns the PIDs of all descendants of a process, the nearest first. */
function descendantsOf(root: number): number[] {
  const found = [root];
  for (const pid of found) {
    found.push(
      ...textOf(pid, `task/${pid}/children`)
        .split(' ')
        .flatMap((child) => Number(child) || []),
    );
  }
  return found.slice(1);
}

/** Returns an empty text for a process that does not exist. */
function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
