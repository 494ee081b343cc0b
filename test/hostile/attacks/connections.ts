import { type Attack, dial, dialTcp, get, lanes, pause, until } from '../support/target.ts';

/** Opens connections that never send a byte. */
export const silentConnections: Attack = async (target) => {
  await lanes(2_000, 1_000, async () => {
    await until(dialTcp(target), 'close', 15_000);
  });
};

/** Completes the handshake, then sends the head of a request one letter at a time. */
export const slowHeads: Attack = async (target) => {
  await lanes(200, 500, async () => {
    const socket = await dial(target);
    for (const letter of get('/healthz/live')) {
      if (socket.destroyed) return;
      socket.write(letter);
      await pause(1_000);
    }
  });
};
