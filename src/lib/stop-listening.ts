import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';

/**
 * How long a listener that stops waits for a moment in which nobody is about to connect, milliseconds.
 * @limit the wait for a moment without new connections, when the server closes, ms -> it closes; who is about to connect is refused
 */
const LAST_CONNECTION_MS = 1_000;
/** Of the event loop, in which the connections that wait are accepted. */
const TURNS = 4;
/** States of a connection in Linux's tables (`include/net/tcp_states.h`). */
const ESTABLISHED = '01';
const CLOSE_WAIT = '08';
const SYN_RECEIVED = '03';
/** Of one that its client may still write to, or has written to; a process that closes it takes it out of these. */
const OPEN = [ESTABLISHED, CLOSE_WAIT];
/** The inode of a connection that no process has accepted yet. */
const NOBODYS = '0';

/**
 * Closes the listening socket; connections that were accepted stay. Those that the kernel has accepted, or is about to, and the
 * server has not, would be reset: there may be none. So the kernel's queue is made as short as can be, for one connection, and
 * one of our own fills it. While it is there nobody else can come in; a client whose handshake had begun shows in the kernel's
 * table, and then it is let in first. Whoever is kept out meanwhile finds nobody listening when it tries again.
 * @param close closes the socket, at once
 */
export async function stopListening(server: Server, close: () => void): Promise<void> {
  const { address, port } = server.address() as AddressInfo;
  const host = address === '::' ? '::1' : address === '0.0.0.0' ? '127.0.0.1' : address;
  const end = performance.now() + LAST_CONNECTION_MS;
  // No public API; without it the queue is what it was.
  (server as { _handle?: { listen?(backlog: number): number } })._handle?.listen?.(0);
  let own: Socket | undefined;
  do {
    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
    own?.destroy();
    own = connect({ host, port }).on('error', () => {});
    // Behind the system call, and before the event loop accepts anything.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    // The kernel's table may change while it is read, and what moves in it be missed: both times it has to say so.
  } while (!(isAlone(own, port) && isAlone(own, port)) && performance.now() < end);
  close();
  own.destroy();
}

/** Whether this connection fills the queue of a listening socket alone, and no handshake with another is under way. */
function isAlone({ localPort = 0 }: Socket, port: number): boolean {
  const [own, listening] = [hexadecimal(localPort), hexadecimal(port)];
  let isWaiting = false;
  for (const { local, remote, state, inode } of kernelTable()) {
    if (local !== listening) continue;
    if (state === SYN_RECEIVED) return false;
    if (inode !== NOBODYS || !OPEN.includes(state)) continue;
    // Two that come at once can both get into a queue for one.
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

/** Number, addresses, state, queues, timer, retransmissions, user, timeout, inode. */
const LINE = /^ *\d+: \w+:(\w{4}) \w+:(\w{4}) (\w\w) \S+ \S+ \S+ +\d+ +\d+ (\d+)/gm;

/** Of Linux (`proc_net_tcp.rst`); nothing elsewhere. */
function* kernelTable(): Generator<Connection> {
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = readTable(file);
    for (const [, local = '', remote = '', state = '', inode = ''] of text.matchAll(LINE)) {
      yield { local, remote, state, inode };
    }
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
