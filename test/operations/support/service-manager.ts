import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A datagram socket, which Node.js lacks: systemd has one for each unit, for its status messages. */
const RECEIVER = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(receiver.recv(4096).decode().replace('\\n', ' '), flush=True)
`;

export interface Manager {
  readonly socket: string;
  /** Messages received so far, in order. */
  readonly told: readonly string[];
  stop(): Promise<void>;
}

export async function startManager(folder: string): Promise<Manager> {
  const socket = join(folder, 'notify');
  const receiver = spawn('python3', ['-c', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(receiver, 'exit');
  const told: string[] = [];
  const lines = createInterface({ input: receiver.stdout });
  await once(lines, 'line');
  lines.on('line', (line) => {
    // systemd-notify sends a barrier with this message and waits until all earlier messages are received.
    if (line !== 'BARRIER=1') told.push(line);
  });
  return {
    socket,
    told,
    stop: async () => {
      receiver.kill();
      await ended;
    },
  };
}
