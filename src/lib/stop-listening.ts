import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';

/**
 * Maximum time that a closing listener waits for a moment without new connections, milliseconds.
 * @limit time that a closing server waits for a moment without new connections, ms -> the server closes; pending
 * connections are refused
 */
const LAST_CONNECTION_MS = 1_000;
/** Number of turns of the event loop in which waiting connections are accepted. */
const TURNS = 4;
/** Connection states in Linux's tables (`include/net/tcp_states.h`). */
const ESTABLISHED = '01';
const CLOSE_WAIT = '08';
const SYN_RECEIVED = '03';
/**
 * States in which the client may still write or has written. A process that closes the connection removes it from these
 * states.
 */
const OPEN = [ESTABLISHED, CLOSE_WAIT];
/** Inode of a connection that no process has accepted yet. */
const NOBODYS = '0';

/**
 * Closes the listening socket without resetting connections that the kernel has accepted and the server has not.
 * Connections that the server has accepted stay open. The function first reduces the kernel's queue to one connection
 * and fills it with a connection of its own, so that no other client can connect. A client whose handshake has started
 * is visible in the kernel's table, and the server accepts it first. Other clients cannot connect meanwhile, and find no
 * listener on their next attempt.
 * @param close closes the socket synchronously
 */
export async function stopListening(server: Server, close: () => void): Promise<void> {
  const { address, port, family } = server.address() as AddressInfo;
  const table = family === 'IPv6' ? '/proc/net/tcp6' : '/proc/net/tcp';
  const host = address === '::' ? '::1' : address === '0.0.0.0' ? '127.0.0.1' : address;
  const end = performance.now() + LAST_CONNECTION_MS;
  // Node has no public API for this. Without it the queue keeps its length.
  (server as { _handle?: { listen?(backlog: number): number } })._handle?.listen?.(0);
  let own: Socket | undefined;
  do {
    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
    own?.destroy();
    own = connect({ host, port }).on('error', () => {});
    // Runs after the system call and before the event loop accepts a connection.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    // The kernel's table may change while it is read, and an entry that moves can be missed. So two reads must agree.
  } while (!(isAlone(own, port, table) && isAlone(own, port, table)) && performance.now() < end);
  close();
  own.destroy();
}

/**
 * Returns whether this connection is the only one in the queue of a listening socket, and no other handshake is in
 * progress.
 */
function isAlone({ localPort = 0 }: Socket, port: number, table: string): boolean {
  const [own, listening] = [hexadecimal(localPort), hexadecimal(port)];
  let isWaiting = false;
  for (const { local, remote, state, inode } of connectionsIn(table)) {
    if (local !== listening) continue;
    if (state === SYN_RECEIVED) return false;
    if (inode !== NOBODYS || !OPEN.includes(state)) continue;
    // Two connections that arrive at the same time can both enter a queue of length one.
    if (remote !== own) return false;
    isWaiting = true;
  }
  return isWaiting;
}

interface Connection {
  /** Ports, four hexadecimal digits. */
  readonly local: string;
  readonly remote: string;
  readonly state: string;
  readonly inode: string;
}

/** Columns: number, addresses, state, queues, timer, retransmissions, user, timeout, inode. */
const LINE = /^ *\d+: \w+:(\w{4}) \w+:(\w{4}) (\w\w) \S+ \S+ \S+ +\d+ +\d+ (\d+)/gm;

/**
 * Reads a TCP table of Linux (`proc_net_tcp.rst`); yields nothing on other systems. All connections of a listening
 * socket are in the table of its address family, also those of IPv4 clients of `::`. Reading a table takes
 * milliseconds, because the kernel walks through its whole hash table.
 */
function* connectionsIn(table: string): Generator<Connection> {
  for (const [, local = '', remote = '', state = '', inode = ''] of readTable(table).matchAll(LINE)) {
    yield { local, remote, state, inode };
  }
}

function readTable(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

const hexadecimal = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
