import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../command.ts';

/** Waits for a process that a command has started, itself or by another one, with arguments like these. @returns its id */
export async function childOf({ process: { pid = 0 } }: Command, args: RegExp): Promise<number> {
  for (let waited = 0; waited < 30_000; waited += 10) {
    const found = descendantsOf(pid).find((one) => args.test(one.args));
    if (found !== undefined) return found.pid;
    await sleep(10);
  }
  throw new Error(`no process with ${args} was started`);
}

/** Those that a process has started, and those that they have started, the nearest first. */
function descendantsOf(root: number): { readonly pid: number; readonly args: string }[] {
  const lines = spawnSync('ps', ['-eo', 'pid=,ppid=,args=']).stdout.toString().split('\n');
  const all = lines.flatMap((line) => {
    const [, pid, parent, args = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const found = all.filter(({ parent }) => parent === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}
