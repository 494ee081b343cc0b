import { type Attack, dial, lanes, until } from '../support/target.ts';

const CHUNK = Buffer.alloc(65_536, 0x20);
const TOTAL_BYTES = 268_435_456;
/** Requests that are refused for three reasons: no token, no such resource, no such method. */
const REFUSED = [
  'POST /v1/sys/policies/acl/x',
  'POST /nowhere',
  'POST /v1/nowhere',
  'PUT /healthz/live',
  'POST /api/v2/organizations',
  'PUT /api/v2/state-versions/sv-x/upload',
];

/** Sends endless bodies with refused requests. */
export const endlessBodies: Attack = async (target) => {
  let turn = 0;
  await lanes(6, 20, async () => {
    const socket = await dial(target);
    const request = REFUSED[turn++ % REFUSED.length];
    socket.resume();
    socket.write(`${request} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${TOTAL_BYTES}\r\n\r\n`);
    while (!socket.destroyed) {
      if (!socket.write(CHUNK)) await until(socket, 'drain');
    }
  });
};
