import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../command.ts';

/** Waits for a process that a command has started, with arguments like these. @returns its id */
export async function childOf({ process: { pid = 0 } }: Command, args: RegExp): Promise<number> {
  for (let waited = 0; waited < 30_000; waited += 10) {
    for (const line of spawnSync('ps', ['--ppid', String(pid), '-o', 'pid=,args='])
      .stdout.toString()
      .split('\n')) {
      const [, child, text = ''] = /^ *(\d+) (.*)$/.exec(line) ?? [];
      if (child !== undefined && args.test(text)) return Number(child);
    }
    await sleep(10);
  }
  throw new Error(`no process with ${args} was started`);
}
