import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { STATES } from './folders.ts';
import type { Command, Isolation, JobFolders, Running } from './isolation.ts';
import { withLimits } from './limits.ts';
import { systemMounts } from './mounts.ts';
import { endOf, firstChild, goneWith, signalWhenStarted } from './process-group.ts';

const ROOT = '/run/lockkeeper';
const USER = 1000;
/** @limit files of an engine in /tmp, which is in memory, bytes -> no space is left on it */
const MAX_TEMPORARY = 1_073_741_824;

/** Returns the folders as a job sees them. They are equal on every machine, since a plan keeps absolute paths. */
const seen = (here: JobFolders): JobFolders => ({
  work: `${ROOT}/work`,
  plan: `${ROOT}/plan`,
  state: `${ROOT}/${STATES}/${basename(here.state)}`,
  home: `${ROOT}/home`,
  told: `${ROOT}/told`,
});

/**
 * A sandbox of namespaces: the system can be read, the folders of the job can be written, and there is nothing else; no process of
 * the machine is seen, no capability is had. The network is that of the machine.
 */
export function bubblewrap(bwrap: string): Isolation {
  return {
    name: 'bubblewrap',
    settings: { name: 'bubblewrap', program: bwrap },
    seen,
    start: (command, here) => start(bwrap, command, here),
  };
}

function start(bwrap: string, command: Command, here: JobFolders): Running {
  const program = `${ROOT}/engine/${command.program.split('/').at(-1)}`;
  // Its environment and its arguments are those of the first process inside, which all can read: the one is empty, the others
  // come through a pipe.
  const child = spawn(bwrap, ['--args', '3', '--json-status-fd', '4', '--', ...withLimits(program, command)], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const [, output, errors, options, status] = child.stdio as [null, Readable, Readable, Writable, Readable];
  options.on('error', () => {});
  options.end(
    sandbox(command, here, program)
      .map((option) => `${option}\0`)
      .join(''),
  );
  const inside = firstInside(status);
  let isOver = false;
  const ended = endOf(child, () => {
    isOver = true;
  }).then(async (end) => {
    await goneWith(await inside);
    return end;
  });
  return {
    pid: child.pid,
    output,
    errors,
    ended,
    interrupt() {
      // To those inside: bubblewrap itself would end by it, and they with it. The first of them takes no notice.
      void inside.then(async (leader) => {
        if (leader !== undefined)
          await signalWhenStarted(
            leader,
            () => firstChild(leader),
            () => isOver,
          );
      });
    },
    kill() {
      isOver = true;
      // With it the first process inside is ended, and with that one all others of its namespace.
      child.kill('SIGKILL');
    },
  };
}

/** The first process inside, which leads a session of its own; undefined when there was none. */
async function firstInside(status: Readable): Promise<number | undefined> {
  let found: number | undefined;
  for await (const line of createInterface({ input: status })) {
    found ??= pidIn(line);
    if (found !== undefined) break;
  }
  status.resume();
  return found;
}

function pidIn(line: string): number | undefined {
  try {
    const pid = JSON.parse(line)['child-pid'];
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function sandbox({ cwd, environment, program, readable }: Command, here: JobFolders, seenProgram: string): string[] {
  const inside = seen(here);
  const folders = (['work', 'plan', 'state', 'home'] as const).flatMap((name) => ['--bind', here[name], inside[name]]);
  return [
    ...['--unshare-user', '--uid', String(USER), '--gid', String(USER), '--disable-userns'],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--hostname', 'lockkeeper'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...systemMounts(),
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(MAX_TEMPORARY), '--tmpfs', '/tmp'],
    ...folders,
    ...readable.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--ro-bind', here.told, inside.told, '--ro-bind', program, seenProgram],
    ...['--ro-bind', `${here.told}/passwd`, '/etc/passwd', '--ro-bind', `${here.told}/group`, '/etc/group'],
    ...['--remount-ro', '/', '--chdir', cwd, '--clearenv'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}
