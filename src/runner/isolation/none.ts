import { spawn } from 'node:child_process';
import { Bounded } from './bounds/bounded.ts';
import { withLimits } from './bounds/rlimits.ts';
import {
  type BoundsHere,
  type Command,
  DEFAULT_BOUNDS_HERE,
  type Isolation,
  type JobFolders,
  type Running,
} from './isolation.ts';
import { endOf, signalGroup, signalWhenStarted } from './process-group.ts';

/**
 * Runs engines as ordinary processes. They can read everything that the agent can. A process that leaves the process
 * group survives the job, and only a control group limits it.
 */
export function notIsolated(here: BoundsHere): Isolation {
  const settings = { name: 'none' as const, ...here };
  return {
    name: 'none',
    settings,
    engineFolders: (folders) => folders,
    start: (command, at) => start(settings, command, at),
  };
}

/** No isolation, with the default bounds. */
export const none: Isolation = notIsolated(DEFAULT_BOUNDS_HERE);

function start({ bounds, group }: BoundsHere, command: Command, here: JobFolders): Running {
  const bounded = new Bounded(bounds, here, group);
  const [shell = '', ...args] = bounded.within(withLimits(command.program, command, bounds, false));
  const child = spawn(shell, args, {
    cwd: command.cwd,
    env: command.environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let isOver = false;
  const kill = (): void => {
    isOver = true;
    signalGroup(child.pid, 'SIGKILL');
  };
  bounded.watch(child.pid, kill);
  return {
    pid: child.pid,
    output: child.stdout,
    errors: child.stderr,
    ended: endOf(child, kill).then(async (end) => {
      await bounded.end(end);
      return end;
    }),
    interrupt: () =>
      void signalWhenStarted(
        child.pid,
        () => child.pid,
        () => isOver,
      ),
    kill,
  };
}
