import { spawn } from 'node:child_process';
import type { Isolation } from './isolation.ts';
import { withLimits } from './limits.ts';
import { endOf, signalGroup, signalWhenStarted } from './process-group.ts';

/** A process like any other: it can read what the agent can. What leaves its group outlives it. */
export const none: Isolation = {
  name: 'none',
  settings: { name: 'none' },
  seen: (here) => here,
  start(command) {
    const [shell = '', ...args] = withLimits(command.program, command);
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
    return {
      pid: child.pid,
      output: child.stdout,
      errors: child.stderr,
      ended: endOf(child, kill),
      interrupt: () =>
        void signalWhenStarted(
          child.pid,
          () => child.pid,
          () => isOver,
        ),
      kill,
    };
  },
};
