import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { internetNames } from './internet-names.ts';

const A = 1;

/** Returns the DNS question of a packet: one name that ends at the first zero byte, with type and class. */
function questionOf(packet: Buffer): Buffer {
  return packet.subarray(12, packet.indexOf(0, 12) + 5);
}

/** Returns a DNS response with one address for questions of type A, and without one for others (RFC 1035 §4.1). */
function answerTo(packet: Buffer, address: readonly number[]): Buffer {
  const question = questionOf(packet);
  const isA = question.readUInt16BE(question.length - 4) === A;
  const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
  packet.copy(header, 0, 0, 2);
  const record = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address]);
  return Buffer.concat([header, question, ...(isA ? [record] : [])]);
}

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

async function nameServer(answer: (packet: Buffer) => Buffer | undefined): Promise<string> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (packet, { port, address }) => {
    const reply = answer(packet);
    if (reply) socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

test('resolves a name with DNS', async () => {
  const server = await nameServer((packet) => answerTo(packet, [93, 184, 215, 14]));
  const resolve = internetNames({ servers: [server] });
  expect(await resolve('hooks.example.com')).toEqual([{ address: '93.184.215.14' }]);
});

test('gives up a DNS server that does not answer', async () => {
  const server = await nameServer(() => undefined);
  const resolve = internetNames({ servers: [server], timeout: 50, tries: 1 });
  await expect(resolve('hooks.example.com')).rejects.toMatchObject({ code: 'ETIMEOUT' });
});

test.each(['localhost', 'LOCALHOST.', 'a.localhost'])('%s is this machine, whatever DNS answers', async (name) => {
  const server = await nameServer((packet) => answerTo(packet, [93, 184, 215, 14]));
  expect(await internetNames({ servers: [server] })(name)).toContainEqual({ address: '127.0.0.1' });
});
