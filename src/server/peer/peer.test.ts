import { once } from 'node:events';
import { connect as connectTcp, createServer as createTcpServer } from 'node:net';
import {
  type ConnectionOptions,
  connect as connectTls,
  createServer as createTlsServer,
  type TLSSocket,
} from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ask2,
  dial,
  dialHttp2,
  type Listening,
  listening,
  message,
  serverRoot,
  serverTls,
} from '../../../test/support/listening.ts';
import { createRoot, type Minted, selfSigned } from '../../../test/support/pki.ts';
import { PRESENTED_LIMITS } from './peer.ts';

const root = createRoot({ subject: 'Client root' });
const intermediate = root.issueAuthority({ subject: 'Client intermediate' });
const client = intermediate.issue({ subject: 'device-1' });
const chain: ConnectionOptions = { cert: client.pem + intermediate.pem, key: client.keyPem };
const PEER = message('GET', '/echo/peer');
const base64 = (certificate: Minted) => certificate.der.toString('base64');

async function start(options: Parameters<typeof listening>[0] = {}): Promise<Listening> {
  const server = await listening(options);
  onTestFinished(() => server.server.close(0));
  return server;
}

async function peerSeen(server: Listening, options: ConnectionOptions) {
  const wire = await dial(server, options);
  onTestFinished(() => void wire.socket.destroy());
  return (await wire.ask(PEER)).body;
}

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('a client certificate over %s', (version) => {
  const options: ConnectionOptions = { minVersion: version, maxVersion: version };

  test('shows its leaf and intermediates, as often as they are asked for', async () => {
    const wire = await dial(await start(), { ...options, ...chain });
    for (let i = 0; i < 3; i++) {
      const { body } = await wire.ask(PEER);
      expect(body).toEqual({
        address: '127.0.0.1',
        tls: true,
        leaf: base64(client),
        intermediates: [base64(intermediate)],
      });
    }
    wire.socket.destroy();
  });

  test('shows them on each HTTP/2 stream of a connection', async () => {
    const session = await dialHttp2(await start(), { ...options, ...chain });
    onTestFinished(() => session.destroy());
    for (let i = 0; i < 3; i++) {
      const { body } = await ask2(session, { ':path': '/echo/peer' });
      expect(body).toMatchObject({ leaf: base64(client), intermediates: [base64(intermediate)] });
    }
  });

  test('shows everything to a client that tries to resume its session', async () => {
    const server = await start();
    const first = await dial(server, { ...options, ...chain });
    const tickets: Buffer[] = [];
    (first.socket as TLSSocket).on('session', (session) => tickets.push(session));
    await first.ask(PEER);
    const session = tickets.at(-1) ?? (first.socket as TLSSocket).getSession();
    first.socket.destroy();
    const second = await dial(server, { ...options, ...chain, ...(session && { session }) });
    expect((second.socket as TLSSocket).isSessionReused()).toBe(false);
    expect((await second.ask(PEER)).body).toMatchObject({
      leaf: base64(client),
      intermediates: [base64(intermediate)],
    });
    second.socket.destroy();
  });

  test('that nobody would trust completes the handshake and shows its leaf', async () => {
    const server = await start();
    const past = { notBefore: new Date('2001-01-01'), notAfter: new Date('2001-01-02') };
    const strangers = [
      selfSigned({ subject: 'nobody' }),
      createRoot().issue({ subject: 'of a stranger' }),
      root.issue({ subject: 'expired', ...past }),
      root.issue({ subject: 'wrong purpose', extendedKeyUsage: ['serverAuth'] }),
    ];
    for (const { pem, keyPem, der } of strangers) {
      const seen = await peerSeen(server, { ...options, cert: pem, key: keyPem });
      expect(seen).toMatchObject({ leaf: der.toString('base64'), intermediates: [] });
    }
  });

  test('is not demanded', async () => {
    expect(await peerSeen(await start(), options)).toEqual({ address: '127.0.0.1', tls: true, intermediates: [] });
  });

  test('that crashes careless servers is bytes like any other', async () => {
    const server = await start();
    const hostile = selfSigned({
      subject: 'hostile',
      extensions: [{ oid: '2.5.29.37', value: longPurpose(1_000) }],
    });
    const seen = await peerSeen(server, { ...options, cert: hostile.pem + intermediate.pem, key: hostile.keyPem });
    expect(seen.leaf).toBe(base64(hostile));
    expect(await peerSeen(server, { ...options, ...chain })).toMatchObject({ leaf: base64(client) });
  });
});

/** An extended key usage with one OID, whose arcs have more digits than parsers reserve room for. */
function longPurpose(length: number): Buffer {
  const arcs = Buffer.alloc(length, 0xff);
  arcs[0] = 0x2b;
  arcs[length - 1] = 0x7f;
  const lengthBytes = (value: number) => [0x82, value >> 8, value & 0xff];
  return Buffer.from([0x30, ...lengthBytes(length + 4), 0x06, ...lengthBytes(length), ...arcs]);
}

test('a listener with session tickets would lose the intermediates of those who resume', async () => {
  const seen: { reused: boolean; issuer: boolean }[] = [];
  const careless = createTlsServer(
    { cert: serverTls.certificate, key: serverTls.privateKey, requestCert: true, rejectUnauthorized: false },
    (socket) => {
      const issuer = socket.getPeerX509Certificate()?.issuerCertificate;
      seen.push({ reused: socket.isSessionReused(), issuer: issuer !== undefined });
      socket.on('error', () => {}).end('x');
    },
  ).listen(0, '127.0.0.1');
  onTestFinished(() => void careless.close());
  await once(careless, 'listening');
  const { port } = careless.address() as import('node:net').AddressInfo;
  let session: Buffer | undefined;
  for (let i = 0; i < 2; i++) {
    const socket = connectTls({ port, host: '127.0.0.1', ca: serverRoot.pem, ...chain, ...(session && { session }) });
    socket.on('session', (ticket) => {
      session = ticket;
    });
    await once(socket.resume(), 'close');
  }
  expect(seen).toEqual([
    { reused: false, issuer: true },
    { reused: true, issuer: false },
  ]);
});

test('no names of authorities are sent to clients', async () => {
  const server = await start({ tls: { ...serverTls, certificate: serverTls.certificate + serverRoot.pem } });
  const bytes: Buffer[] = [];
  const tap = createTcpServer((near) => {
    const far = connectTcp(server.port, '127.0.0.1');
    far.on('data', (chunk: Buffer) => bytes.push(chunk));
    near
      .on('error', () => {})
      .pipe(far.on('error', () => {}))
      .pipe(near);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void tap.close());
  await once(tap, 'listening');
  const { port } = tap.address() as import('node:net').AddressInfo;
  await peerSeen({ ...server, port }, { maxVersion: 'TLSv1.2', ...chain });
  const request = handshakeMessages(Buffer.concat(bytes)).find(({ type }) => type === CERTIFICATE_REQUEST);
  // Fields (RFC 5246 §7.4.4): certificate_types<1>, supported_signature_algorithms<2>, certificate_authorities<2>.
  const body = request?.body ?? Buffer.alloc(0);
  const algorithms = 1 + body.readUInt8(0);
  const authorities = algorithms + 2 + body.readUInt16BE(algorithms);
  expect(body.readUInt16BE(authorities)).toBe(0);
  expect(body).toHaveLength(authorities + 2);
});

const HANDSHAKE = 22;
const CERTIFICATE_REQUEST = 13;

/** Messages of a TLS 1.2 server before encryption starts. */
function handshakeMessages(bytes: Buffer): { type: number; body: Buffer }[] {
  const records: Buffer[] = [];
  for (let at = 0; bytes[at] === HANDSHAKE; at += 5 + bytes.readUInt16BE(at + 3)) {
    records.push(bytes.subarray(at + 5, at + 5 + bytes.readUInt16BE(at + 3)));
  }
  const stream = Buffer.concat(records);
  const messages: { type: number; body: Buffer }[] = [];
  for (let at = 0; at + 4 <= stream.length; at += 4 + stream.readUIntBE(at + 1, 3)) {
    messages.push({ type: stream.readUInt8(at), body: stream.subarray(at + 4, at + 4 + stream.readUIntBE(at + 1, 3)) });
  }
  return messages;
}

describe('more certificates than anybody needs', () => {
  test('ten intermediates are shown, eleven are none at all', async () => {
    const server = await start();
    const most = PRESENTED_LIMITS.certificates;
    const presented = (count: number) => ({ cert: client.pem + intermediate.pem.repeat(count), key: client.keyPem });
    expect((await peerSeen(server, presented(most))).intermediates).toHaveLength(most);
    expect(await peerSeen(server, presented(most + 1))).not.toHaveProperty('intermediates');
  });

  test('a client that sent too many bytes is not looked at more closely', async () => {
    const server = await start();
    const seen = await peerSeen(server, { cert: client.pem + intermediate.pem.repeat(150), key: client.keyPem });
    expect(seen.leaf).toBe(base64(client));
    expect(seen).not.toHaveProperty('intermediates');
    expect((await peerSeen(server, chain)).intermediates).toHaveLength(1);
  });

  test('an address that presents hundreds is asked to come later', async () => {
    const server = await start({ chainMemory: { ofAddress: 4 * 1024 * 1024, ofAll: 64 * 1024 * 1024 } });
    const greedy = { cert: client.pem + intermediate.pem.repeat(80), key: client.keyPem };
    for (let n = 0; n < 2; n++) expect(await peerSeen(server, greedy)).not.toHaveProperty('intermediates');
    const wire = await dial(server, greedy);
    const { status, headers, body } = await wire.ask(PEER);
    expect([status, body.kind]).toEqual([429, 'too-many-requests']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    wire.socket.destroy();
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const seen = await peerSeen(server, { maxVersion, cert: client.pem, key: client.keyPem });
      expect(seen).toMatchObject({ leaf: base64(client), intermediates: [] });
    }
  });
});

test('a plain connection has an address and no certificates', async () => {
  expect(await peerSeen(await start({ tls: false }), {})).toEqual({
    address: '127.0.0.1',
    tls: false,
    intermediates: [],
  });
});
