import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailSettings } from '../../../src/mail/index.ts';
import { createRoot } from '../pki.ts';

/** A received email. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
  /** Whether it came over TLS. */
  readonly secure: boolean;
  /** Name of the login; undefined without one. */
  readonly user: string | undefined;
}

/** SMTP server on loopback. */
export interface TestSmtp {
  readonly port: number;
  /** File with the PEM of its CA. */
  readonly caFile: string;
  readonly received: ReceivedMail[];
  /** Settings of a server that sends through it. */
  readonly settings: MailSettings;
  /** Answers of recipients, by address: the status, such as 450. */
  readonly refuses: Map<string, number>;
  /** Addresses about which the server never answers, with the number of clients that wait for it. */
  readonly hangs: Map<string, number>;
  /** Status of the answer to each message; undefined to take it. */
  refusesMessages: number | undefined;
  /** Returns the emails to an address. */
  to(address: string): ReceivedMail[];
  stop(): Promise<void>;
}

const authority = createRoot({ subject: 'Mail' });
/** PEM of the CA of the test servers. */
export const mailAuthority = authority.pem;
const LOGIN = { username: 'lockkeeper', password: 'a long password' };

/** Settings for a server on this port. */
export function settingsFor(port: number, more: Partial<MailSettings> = {}): MailSettings {
  return {
    ...{ host: 'localhost', port, tls: 'starttls', authorities: [mailAuthority], timeoutMs: 2000 },
    from: 'Lockkeeper <keeper@ops.example.com>',
    ...more,
  };
}

function certificateOf(host: string) {
  const { keyPem, pem } = authority.issue({ subject: host, dns: [host], extendedKeyUsage: ['serverAuth'] });
  return { cert: pem, key: keyPem };
}

/** Starts an SMTP server that requires STARTTLS and a login. */
export async function startSmtp(options: SMTPServerOptions = {}, host = 'localhost'): Promise<TestSmtp> {
  const received: ReceivedMail[] = [];
  const refuses = new Map<string, number>();
  const hangs = new Map<string, number>();
  const server = new SMTPServer({
    ...certificateOf(host),
    authMethods: ['PLAIN', 'LOGIN'],
    disableReverseLookup: true,
    onAuth: ({ username = '', password }, _session, done) =>
      username === LOGIN.username && password === LOGIN.password
        ? done(null, { user: username })
        : done(new Error('Invalid login')),
    onRcptTo: ({ address }, _session, done) => {
      const hanging = hangs.get(address);
      if (hanging !== undefined) return void hangs.set(address, hanging + 1);
      const status = refuses.get(address);
      done(status === undefined ? null : Object.assign(new Error(`no mail for ${address}`), { responseCode: status }));
    },
    onData: async (stream, session, done) => {
      const source = await text(stream);
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom ? mailFrom.address : '';
      const { refusesMessages: status } = smtp;
      if (status !== undefined) return done(Object.assign(new Error('not now'), { responseCode: status }));
      const to = rcptTo.map(({ address }) => address);
      received.push({ from, to, source, secure: session.secure, user: session.user });
      return done();
    },
    ...options,
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-mail-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.pem);
  const smtp: TestSmtp = {
    ...{ port, caFile, received, refuses, hangs, refusesMessages: undefined },
    settings: settingsFor(port, { login: LOGIN }),
    to: (address) => received.filter(({ to }) => to.includes(address)),
    async stop() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(folder, { recursive: true });
    },
  };
  return smtp;
}

/** A server that speaks as the test says. `lines` has what clients sent. */
export interface ScriptedServer {
  readonly port: number;
  readonly lines: string[];
  stop(): Promise<void>;
}

/** Starts a TCP server. @param talk answers a new connection */
export async function startScripted(talk: (socket: Socket) => void): Promise<ScriptedServer> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data) => lines.push(...data.toString('latin1').split('\r\n').filter(Boolean)));
    talk(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
