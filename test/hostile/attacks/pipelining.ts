import { type Attack, dial, get, LARGE_ANSWER, lanes, until } from '../support/target.ts';

const CONNECTIONS = 40;
const PACKET_BYTES = 16_384;

/** Sends packets full of requests on connections that never read a response. */
export const unreadPipelines: Attack = async (target) => {
  const packet = get(LARGE_ANSWER).repeat(Math.floor(PACKET_BYTES / get(LARGE_ANSWER).length));
  await lanes(CONNECTIONS, 1_000, async () => {
    const socket = await dial(target);
    socket.pause();
    socket.write(packet);
    await until(socket, 'close', 10_000);
  });
};

/** Sends thirty requests in each packet, reads all responses, then sends the next packet at once. */
export const busyPipelines: Attack = async (target) => {
  const requests = 30;
  await lanes(16, 10, async () => {
    const socket = await dial(target);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.split('HTTP/1.1 ').length <= requests) return;
      text = '';
      socket.write(get('/v1/sys/health').repeat(requests));
    });
    socket.write(get('/v1/sys/health').repeat(requests));
    await until(socket, 'close');
  });
};

/** Sends data behind a request that asks for another protocol. */
export const upgrades: Attack = async (target) => {
  await lanes(50, 200, async () => {
    const socket = await dial(target);
    socket.write(get('/healthz/live', 'Connection: Upgrade\r\nUpgrade: websocket\r\n') + get('/healthz/live'));
    await until(socket, 'close', 5_000);
  });
};
