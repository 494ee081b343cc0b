import { afterEach, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Authority, createRoot, type Minted, selfSigned } from '../../../support/pki.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../../support/server.ts';

const MIB = 1024 * 1024;
/** Minimum of the setting: an IP address may present only a few invalid chains of 25 KiB. */
const LITTLE = { ofAddress: 4 * MIB, ofAll: 16 * MIB };
/** Number of runners by database: fewer on PostgreSQL, because PGlite is slow. */
const RUNNERS = { sqlite: 80, postgres: 20 };
const REFUSED = { errors: ['failed to match all constraints for this login certificate'] };

/** A certificate with the chain that the client presented. */
interface Client {
  readonly pem: string;
  readonly keyPem: string;
}

const withChain = ({ pem, keyPem }: Minted, ...above: readonly Minted[]): Client => ({
  pem: pem + above.map((one) => one.pem).join(''),
  keyPem,
});
const alone = ({ pem, keyPem }: Minted): Client => ({ pem, keyPem });

/** A chain of 25 KiB that any client can create. */
function stranger(): Client {
  const padding = { oid: '1.2.3.4', value: Buffer.from([4, 0x82, 0x60, 0, ...Buffer.alloc(0x6000)]) };
  const root = createRoot({ subject: 'Nobody' });
  const above = root.issueAuthority({ subject: 'Nobody in particular', extensions: [padding] });
  return withChain(above.issue({ subject: 'stranger' }), above);
}

describe.each(databaseKinds)('chains that clients present, on %s', (kind) => {
  const started: TestServer[] = [];
  let root: Authority;

  async function start(options: TestServerOptions = {}): Promise<TestServer> {
    const server = await startTestServer(kind, { chainMemory: LITTLE, ...options });
    started.push(server);
    if (options.beside) return server;
    root = createRoot({ subject: 'Fleet root' });
    expect((await server.root('POST', '/v1/auth/cert/certs/fleet', { certificate: root.pem })).status).toBe(204);
    return server;
  }
  /** Stops the nodes that were started last first. */
  afterEach(async () => {
    for (const server of started.splice(0).reverse()) await server.stop();
  });

  const login = (server: TestServer, certificate: Client, localAddress?: string) =>
    server.call('POST', '/v1/auth/cert/login', { certificate, ...(localAddress !== undefined && { localAddress }) });
  const metric = async (server: TestServer, outcome: string) => {
    const { text } = await server.call('GET', '/metrics');
    return Number(new RegExp(`client_certificate_chains_total{outcome="${outcome}"} (\\d+)`).exec(text)?.[1]);
  };
  /** Presents chains until the IP address is refused; returns the number of accepted ones. */
  const exhaust = async (server: TestServer, address: string) => {
    const client = stranger();
    for (let tries = 0; tries < 20; tries++) {
      const { status, body } = await login(server, client, address);
      if (status === 429) return tries;
      expect([status, body]).toEqual([400, REFUSED]);
    }
    throw new Error('never refused');
  };

  it('a server that stores no intermediates logs in runners below different intermediates behind one IP address', async () => {
    const server = await start();
    const runners = Array.from({ length: RUNNERS[kind] }, (_, n) => {
      const above = root.issueAuthority({ subject: `Site ${n}` });
      return withChain(above.issue({ subject: `runner-${n}` }), above);
    });
    const statuses: number[] = [];
    await Promise.all(
      [0, 1, 2, 3].map(async (worker) => {
        for (let n = worker; n < runners.length; n += 4) {
          statuses.push((await login(server, runners[n] as Client)).status);
        }
      }),
    );
    expect(statuses).toEqual(Array(runners.length).fill(200));
    expect(await metric(server, 'proven')).toBe(runners.length);
    expect(await metric(server, 'charged')).toBe(0);
  }, 120_000);

  it('a chain is read once for each intermediate, not once for each login, though the role refuses', async () => {
    const server = await start();
    const above = root.issueAuthority({ subject: 'Site' });
    await server.root('POST', '/v1/auth/cert/certs/fleet', { allowed_names: 'nobody' });
    for (const name of ['a', 'b', 'c']) {
      expect((await login(server, withChain(above.issue({ subject: name }), above))).body).toEqual(REFUSED);
    }
    expect(await metric(server, 'proven')).toBe(1);
    await server.root('POST', '/v1/auth/cert/certs/fleet', { allowed_names: '' });
    expect((await login(server, alone(above.issue({ subject: 'd' })))).status).toBe(200);
  });

  it('attackers use up only their own budget, from one IP address or many, and honest clients continue', async () => {
    const server = await start();
    const [known, later] = [root.issueAuthority({ subject: 'Known' }), root.issueAuthority({ subject: 'Later' })];
    const client = withChain(known.issue({ subject: 'honest' }), known);
    expect((await login(server, client, '127.0.0.9')).status).toBe(200);
    expect(await exhaust(server, '127.0.0.2')).toBe(2);
    // Logs in from the IP address of a client with a known intermediate, then uses up the limits of all other IP
    // addresses.
    expect((await login(server, client, '127.0.0.2')).status).toBe(200);
    for (const address of ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7']) {
      await exhaust(server, address);
    }
    expect((await login(server, stranger(), '127.0.0.8')).status).toBe(429);
    expect((await login(server, withChain(later.issue({ subject: 'new' }), later), '127.0.0.9')).status).toBe(200);
  });

  it('a login that has to wait gets the time to wait, and is counted', async () => {
    const server = await start();
    await exhaust(server, '127.0.0.2');
    const { status, headers, body } = await login(server, stranger(), '127.0.0.2');
    expect([status, body]).toEqual([429, { errors: [expect.stringContaining('try again later')] }]);
    const seconds = Number(headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3600);
    expect(await metric(server, 'refused')).toBe(2);
    expect(await metric(server, 'charged')).toBe(2);
  });

  it('a leaf without a chain is refused like any other, whatever chains others have presented', async () => {
    const server = await start();
    await exhaust(server, '127.0.0.2');
    const strangers = [selfSigned({ subject: 'self' }), createRoot().issueAuthority().issue({ subject: 'lone' })];
    for (const one of strangers) {
      const { status, body } = await login(server, alone(one), '127.0.0.2');
      expect([status, body]).toEqual([400, REFUSED]);
    }
  });

  it('the chain of a leaf that could never log in is not read: it has expired, or has another purpose', async () => {
    const server = await start();
    await exhaust(server, '127.0.0.2');
    const above = createRoot().issueAuthority({ subject: 'Anybody' });
    const past = { notBefore: new Date('2001-01-01'), notAfter: new Date('2001-01-02') };
    for (const options of [past, { extendedKeyUsage: ['serverAuth'] }]) {
      const { status, body } = await login(server, withChain(above.issue(options), above), '127.0.0.2');
      expect([status, body]).toEqual([400, REFUSED]);
    }
    expect(await metric(server, 'charged')).toBe(2);
  });

  it('intermediates survive a restart: a client that presents only its leaf logs in', async () => {
    const server = await start();
    const above = root.issueAuthority({ subject: 'Site' });
    const leaf = above.issue({ subject: 'runner' });
    expect((await login(server, alone(leaf))).body).toEqual(REFUSED);
    expect((await login(server, withChain(leaf, above))).status).toBe(200);
    await server.application.stop();
    const again = await start({ beside: server });
    expect((await login(again, alone(leaf))).status).toBe(200);
    expect((await login(again, alone(above.issue({ subject: 'another' })))).status).toBe(200);
    expect(await metric(again, 'proven')).toBe(0);
  });

  it('every node knows the intermediates that one node has seen', async () => {
    const server = await start();
    const other = await start({ beside: server });
    const [first, second] = [root.issueAuthority({ subject: 'First' }), root.issueAuthority({ subject: 'Second' })];
    for (const [above, here, there] of [
      [first, server, other],
      [second, other, server],
    ] as const) {
      const leaf = above.issue({ subject: 'runner' });
      expect((await login(there, alone(leaf))).status).toBe(400);
      expect((await login(here, withChain(leaf, above))).status).toBe(200);
      expect((await login(there, alone(leaf))).status).toBe(200);
    }
  });

  it('a cached intermediate is no CA: no login succeeds once the role is deleted, has another CA or the intermediate has expired', async () => {
    const server = await start();
    const inAnHour = new Date(Date.now() + 3_600_000);
    const above = root.issueAuthority({ subject: 'Site', notAfter: inAnHour });
    const leaf = above.issue({ subject: 'runner' });
    expect((await login(server, withChain(leaf, above))).status).toBe(200);
    await server.root('POST', '/v1/auth/cert/certs/fleet', { certificate: createRoot({ subject: 'Fleet root' }).pem });
    expect((await login(server, alone(leaf))).status).toBe(400);
    await server.root('POST', '/v1/auth/cert/certs/fleet', { certificate: root.pem });
    expect((await login(server, alone(leaf))).status).toBe(200);
    server.advance(7200);
    expect((await login(server, alone(leaf))).status).toBe(400);
  });

  it('six intermediates deep and five of one name are remembered like any other', async () => {
    const server = await start();
    let above: Authority = root;
    const chain: Authority[] = [];
    for (let depth = 0; depth < 6; depth++) {
      above = above.issueAuthority({ subject: `Depth ${depth}` });
      chain.unshift(above);
    }
    const namesakes = Array.from({ length: 5 }, () => root.issueAuthority({ subject: 'Namesake' }));
    for (const presented of [chain, ...namesakes.map((one) => [one])]) {
      const leaf = (presented[0] as Authority).issue({ subject: 'runner' });
      expect((await login(server, withChain(leaf, ...presented))).status).toBe(200);
    }
    for (const issuer of [above, ...namesakes]) {
      expect((await login(server, alone(issuer.issue({ subject: 'another' })))).status).toBe(200);
    }
    expect(await metric(server, 'proven')).toBe(6);
  });

  it('part of a chain is enough when the rest is proven', async () => {
    const server = await start();
    const upper = root.issueAuthority({ subject: 'Upper' });
    expect((await login(server, withChain(upper.issue({ subject: 'a' }), upper))).status).toBe(200);
    const lower = upper.issueAuthority({ subject: 'Lower' });
    expect((await login(server, withChain(lower.issue({ subject: 'b' }), lower))).status).toBe(200);
    expect((await login(server, alone(lower.issue({ subject: 'c' })))).status).toBe(200);
  });
});
