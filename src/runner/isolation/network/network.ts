import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { JobFailure } from '../../ports.ts';
import { programOn } from '../../programs.ts';
import type { JobFolders } from '../isolation.ts';
import { signalGroup } from '../process-group.ts';
import { deniedBlocks, type ServerHere, serverHere } from './addresses.ts';
import { firewall } from './firewall.ts';
import type { NetworkPlan, NetworkSettings } from './plan.ts';
import { RESOLVER, resolverSettings } from './resolver.ts';

/** A network connection of a sandbox. It lasts until `close`, or until this process ends. */
export interface Connection {
  close(): void;
}

/** Name of the resolver file, in the folder `told` of the job. */
export const RESOLVER_FILE = 'resolv.conf';

// Addresses reserved for 464XLAT (RFC 7335): no network has hosts there.
const [ADDRESS, GATEWAY, BITS] = ['192.0.0.2', '192.0.0.1', '29'];
/**
 * Shell script that applies the firewall rules before it starts the command. `$0` is nft. If the rules fail, nothing
 * starts.
 */
const PREPARE = `echo '{"network": true}' >&4; read -r rules <&5 || exit 1
said=$("$0" "$rules" 2>&1) || { echo "bwrap: nft: $said" >&2; exit 1; }
exec 5<&-; exec "$@"`;
/**
 * Shell script that kills its process group when its input closes, even if this process was killed. Pasta itself does
 * not notice that.
 */
const WATCHED = '{ { "$0" "$@" 2>&1; echo; } & read -r _; kill -9 0; } | cat';
/** Folders of administration tools, searched in addition to the PATH. */
const MORE = '/usr/sbin:/sbin';

/**
 * Finds the programs for networks of runs.
 * @param path directories as in `PATH`
 * @throws JobFailure if a program is missing
 */
export function findNetwork(path: string, settings: NetworkSettings): NetworkPlan {
  const find = (name: string, of: string): string => {
    const program = programOn(`${path}:${MORE}`, name);
    if (program !== undefined) return program;
    throw new JobFailure(`${name} (package ${of}) is not on the PATH. Install it`);
  };
  const unshare = find('unshare', 'util-linux');
  return { ...settings, unshare, pasta: find('pasta', 'passt'), nft: find('nft', 'nftables') };
}

/**
 * Returns a command line that creates a network namespace, waits until it is connected, and then executes `command`. It
 * writes a line to descriptor 4 when it is ready, and reads descriptor 5.
 */
export const inNetwork = ({ unshare, nft }: NetworkPlan, command: readonly string[]): string[] => [
  ...[unshare, '--user', '--map-root-user', '--net', '/bin/sh', '-c', PREPARE, nft],
  ...command,
];

/**
 * Connects the network of a process.
 * @param go input of the process; the firewall rules start it
 * @throws JobFailure
 */
export async function connect(
  { pasta, denied: more, reachServer }: NetworkPlan,
  { pid, go, here, server }: Waiting,
): Promise<Connection> {
  const denied = deniedBlocks(more);
  const ours = server === null || !reachServer ? undefined : await serverHere(server);
  writeFileSync(join(here.told, RESOLVER_FILE), resolverSettings(denied));
  const connection = await startPasta(pasta, pid, ours);
  go.end(`${firewall(denied, ours)}\n`);
  return connection;
}

/** A process that waits for its network. */
interface Waiting {
  readonly pid: number;
  readonly go: Writable;
  readonly here: JobFolders;
  readonly server: string | null;
}

async function startPasta(pasta: string, pid: number, server: ServerHere | undefined): Promise<Connection> {
  const args = [
    ...['--foreground', '--quiet', '--config-net', '--ns-ifname', 'eth0', '--pid', '/dev/stdout'],
    // An agent that runs as root must pass `--runas 0`, because pasta would otherwise switch to a user that may not
    // join the namespaces.
    ...(process.getuid?.() === 0 ? ['--runas', '0'] : []),
    ...['--address', ADDRESS, '--netmask', BITS, '--gateway', GATEWAY, '--dns-forward', RESOLVER],
    ...['--no-map-gw', '--no-ra', '--no-dhcp', '--no-dhcpv6', '--tcp-ports', 'none', '--udp-ports', 'none'],
    ...['--tcp-ns', server?.isOnLoopback ? String(server.port) : 'none', '--udp-ns', 'none'],
    ...['--userns', `/proc/${pid}/ns/user`, '--netns', `/proc/${pid}/ns/net`],
  ];
  const child = spawn('/bin/sh', ['-c', WATCHED, pasta, ...args], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const close = (): void => signalGroup(child.pid, 'SIGKILL');
  try {
    await started(child);
    return { close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Waits until pasta prints its PID, which it does when the network is ready. An empty line means that pasta ended. */
async function started(child: ChildProcessByStdio<Writable, Readable, null>): Promise<void> {
  let said = '';
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8');
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    said += piece;
    if (/^\d+\n/m.test(said)) {
      // The stream is read to its end, so that later output of pasta neither blocks nor ends it.
      child.stdout.resume();
      return;
    }
    if (/(^|\n)\n$/.test(said)) break;
  }
  throw new JobFailure(`The sandbox did not start: pasta: ${said.trim().replaceAll(/\s+/g, ' ')}`);
}
