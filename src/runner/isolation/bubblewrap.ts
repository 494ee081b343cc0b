import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Bounded } from './bounds/bounded.ts';
import { withLimits } from './bounds/rlimits.ts';
import { STATES } from './folders.ts';
import type { Command, Isolation, IsolationSettings, JobFolders, Running } from './isolation.ts';
import { systemMounts } from './mounts.ts';
import { connect, inNetwork, RESOLVER_FILE } from './network/network.ts';
import { endOf, firstChild, goneWith, signalWhenStarted } from './process-group.ts';

const ROOT = '/run/lockkeeper';
const USER = 1000;
/** @limit files of an engine in /tmp, which is in memory, bytes -> writes fail with "no space left" */
const MAX_TEMPORARY = 1_073_741_824;
/** @limit shared memory of an engine in /dev/shm, bytes -> writes fail with "no space left" */
const MAX_SHARED = 67_108_864;

/** Returns the folders as a job sees them. They are equal on every machine, because a plan contains absolute paths. */
const engineFolders = (here: JobFolders): JobFolders => ({
  work: `${ROOT}/work`,
  plan: `${ROOT}/plan`,
  state: `${ROOT}/${STATES}/${basename(here.state)}`,
  home: `${ROOT}/home`,
  told: `${ROOT}/told`,
});

/**
 * Isolation in Linux namespaces: the engine can read the system and write the folders of the job, and nothing else. It
 * sees no processes of the machine and has no capabilities.
 */
export function bubblewrap(settings: Settings): Isolation {
  return {
    name: 'bubblewrap',
    settings,
    engineFolders,
    start: (command, here) => start(settings, command, here),
  };
}

type Settings = IsolationSettings & { readonly name: 'bubblewrap' };

function start({ program: bwrap, network, bounds, group }: Settings, command: Command, here: JobFolders): Running {
  const program = `${ROOT}/engine/${command.program.split('/').at(-1)}`;
  // The first process inside inherits arguments and environment, and every process inside can read them. So the
  // environment is empty, and the options come through a pipe.
  const bounded = new Bounded(bounds, here, group);
  const inside = [bwrap, '--args', '3', '--json-status-fd', '4', '--', ...withLimits(program, command, bounds, true)];
  const [first = '', ...args] = bounded.within(network === null ? inside : inNetwork(network, inside));
  const child = spawn(first, args, {
    cwd: '/',
    env: {},
    detached: true,
    // The last pipe is only for the network. Without a network no reader would close it, and the engine would inherit
    // it.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', ...(network === null ? [] : (['pipe'] as const))],
  });
  const [, output, errors, options, status, go] = child.stdio as unknown as Streams;
  for (const stream of [options, go]) stream?.on('error', () => {});
  options.end(
    sandbox(command, here, program, network !== null)
      .map((option) => `${option}\0`)
      .join(''),
  );
  const { waits, leader } = statusOf(status);
  let isOver = false;
  const kill = (): void => {
    isOver = true;
    // Killing bubblewrap kills the first process inside, and the kernel then kills the rest of the PID namespace.
    child.kill('SIGKILL');
  };
  const connection = waits
    .then(async (isWaiting) => {
      if (!isWaiting || !network || !go || !child.pid) return undefined;
      return await connect(network, { pid: child.pid, go, here, server: command.server });
    })
    .catch((error) => {
      kill();
      return error as Error;
    });
  const ended = endOf(child, () => {
    isOver = true;
  }).then(async (end) => {
    const made = await connection;
    if (made instanceof Error) throw made;
    await goneWith(await leader);
    made?.close();
    await bounded.end(end);
    return end;
  });
  bounded.watch(child.pid, kill);
  return {
    pid: child.pid,
    output,
    errors,
    ended,
    interrupt() {
      // Signals the processes inside: if bubblewrap itself got the signal, it would end and kill them. The first
      // process inside ignores it.
      void leader.then(async (pid) => {
        if (pid !== undefined)
          await signalWhenStarted(
            pid,
            () => firstChild(pid),
            () => isOver,
          );
      });
    },
    kill,
  };
}

type Streams = [null, Readable, Readable, Writable, Readable, Writable | undefined];

/** Progress of a sandbox's start, parsed from its status lines. `leader` is the PID of the first process inside. */
interface Status {
  /** Resolves when the sandbox waits for its network; undefined if the sandbox ended before that. */
  readonly waits: Promise<true | undefined>;
  readonly leader: Promise<number | undefined>;
}

function statusOf(lines: Readable): Status {
  const waits = Promise.withResolvers<true | undefined>();
  const leader = Promise.withResolvers<number | undefined>();
  createInterface({ input: lines })
    .on('line', (line) => {
      const { network, 'child-pid': pid } = parsed(line);
      if (network === true) waits.resolve(true);
      if (Number.isInteger(pid) && pid > 1) leader.resolve(pid);
    })
    .on('close', () => {
      waits.resolve(undefined);
      leader.resolve(undefined);
    });
  return { waits: waits.promise, leader: leader.promise };
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
  { cwd, environment, program, readable }: Command,
  here: JobFolders,
  seenProgram: string,
  hasResolver: boolean,
): string[] {
  const inside = engineFolders(here);
  const folders = (['work', 'plan', 'state', 'home'] as const).flatMap((name) => ['--bind', here[name], inside[name]]);
  return [
    ...['--unshare-user', '--uid', String(USER), '--gid', String(USER), '--disable-userns'],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--hostname', 'lockkeeper'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...systemMounts(),
    // A tmpfs is in memory, and may take half of the machine's memory unless its size is set.
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(MAX_SHARED), '--tmpfs', '/dev/shm'],
    ...['--size', String(MAX_TEMPORARY), '--tmpfs', '/tmp', '--remount-ro', '/dev'],
    ...folders,
    ...readable.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--ro-bind', here.told, inside.told, '--ro-bind', program, seenProgram],
    ...['--ro-bind', `${here.told}/passwd`, '/etc/passwd', '--ro-bind', `${here.told}/group`, '/etc/group'],
    ...(hasResolver ? ['--ro-bind', `${here.told}/${RESOLVER_FILE}`, '/etc/resolv.conf'] : []),
    ...['--remount-ro', '/', '--chdir', cwd, '--clearenv'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}
