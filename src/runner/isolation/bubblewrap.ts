import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Command, Isolation, JobFolders, Running } from './isolation.ts';
import { withLimits } from './limits.ts';
import { systemMounts } from './mounts.ts';
import { type Network, RESOLVER_FILE } from './network/network.ts';
import { endOf, firstChild, goneWith, signalWhenStarted } from './process-group.ts';

const ROOT = '/run/lockkeeper';
const USER = 1000;
/** @limit files of an engine in /tmp, which is in memory, bytes -> no space is left on it */
const MAX_TEMPORARY = 1_073_741_824;

/** The same on every machine: a plan keeps absolute paths. */
const SEEN: JobFolders = {
  work: `${ROOT}/work`,
  plan: `${ROOT}/plan`,
  state: `${ROOT}/state`,
  home: `${ROOT}/home`,
  told: `${ROOT}/told`,
};

/**
 * A sandbox of namespaces: the system can be read, the folders of the job can be written, and there is nothing else; no process of
 * the machine is seen, no capability is had.
 * @param network null: that of the machine
 */
export function bubblewrap(bwrap: string, network: Network | null): Isolation {
  return {
    name: 'bubblewrap',
    seen: () => SEEN,
    start: (command, here) => start(bwrap, network, command, here),
  };
}

function start(bwrap: string, network: Network | null, command: Command, here: JobFolders): Running {
  const program = `${ROOT}/engine/${command.program.split('/').at(-1)}`;
  // Its environment and its arguments are those of the first process inside, which all can read: the one is empty, the others
  // come through a pipe.
  const sandboxed = [bwrap, '--args', '3', '--json-status-fd', '4', '--', ...withLimits(program, command)];
  const [first = '', ...args] = network === null ? sandboxed : network.within(sandboxed);
  const child = spawn(first, args, {
    cwd: '/',
    env: {},
    detached: true,
    // The last one is for the network: without it nobody closes that before the engine has it.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', ...(network === null ? [] : (['pipe'] as const))],
  });
  const [, output, errors, options, status, go] = child.stdio as unknown as Streams;
  for (const stream of [options, go]) stream?.on('error', () => {});
  options.end(
    sandbox(command, here, program, network !== null)
      .map((option) => `${option}\0`)
      .join(''),
  );
  const { waits, inside } = statusOf(status);
  let isOver = false;
  const kill = (): void => {
    isOver = true;
    // With it the first process inside is ended, and with that one all others of its namespace.
    child.kill('SIGKILL');
  };
  const connection = waits
    .then((isWaiting) => (isWaiting && go ? network?.connect(child.pid ?? 0, go, here, command.server) : undefined))
    .catch((error) => {
      kill();
      return error as Error;
    });
  const ended = endOf(child, () => {
    isOver = true;
  }).then(async (end) => {
    const made = await connection;
    if (made instanceof Error) throw made;
    await goneWith(await inside);
    made?.close();
    return end;
  });
  return {
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
    kill,
  };
}

type Streams = [null, Readable, Readable, Writable, Readable, Writable | undefined];

/** What the lines of a sandbox say on its way: that its network waits; the first process inside, which leads a session of its own. */
interface Status {
  /** Undefined when it never came so far. */
  readonly waits: Promise<true | undefined>;
  readonly inside: Promise<number | undefined>;
}

function statusOf(lines: Readable): Status {
  const waits = Promise.withResolvers<true | undefined>();
  const inside = Promise.withResolvers<number | undefined>();
  createInterface({ input: lines })
    .on('line', (line) => {
      const { network, 'child-pid': pid } = parsed(line);
      if (network === true) waits.resolve(true);
      if (Number.isInteger(pid) && pid > 1) inside.resolve(pid);
    })
    .on('close', () => {
      waits.resolve(undefined);
      inside.resolve(undefined);
    });
  return { waits: waits.promise, inside: inside.promise };
}

// biome-ignore lint/suspicious/noExplicitAny: it is looked into
function parsed(line: string): any {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

function sandbox(
  { cwd, environment, program, readable, writable }: Command,
  here: JobFolders,
  seenProgram: string,
  hasResolver: boolean,
): string[] {
  const folders = (['work', 'plan', 'state', 'home'] as const).flatMap((name) => ['--bind', here[name], SEEN[name]]);
  return [
    ...['--unshare-user', '--uid', String(USER), '--gid', String(USER), '--disable-userns'],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--hostname', 'lockkeeper'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...systemMounts(),
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(MAX_TEMPORARY), '--tmpfs', '/tmp'],
    ...folders,
    ...readable.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...writable.flatMap((folder) => ['--bind', folder, folder]),
    ...['--ro-bind', here.told, SEEN.told, '--ro-bind', program, seenProgram],
    ...['--ro-bind', `${here.told}/passwd`, '/etc/passwd', '--ro-bind', `${here.told}/group`, '/etc/group'],
    ...(hasResolver ? ['--ro-bind', `${here.told}/${RESOLVER_FILE}`, '/etc/resolv.conf'] : []),
    ...['--remount-ro', '/', '--chdir', cwd, '--clearenv'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}
