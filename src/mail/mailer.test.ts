import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  mailAuthority,
  type ScriptedServer,
  settingsFor,
  startScripted,
  startSmtp,
  type TestSmtp,
} from '../../test/support/mail/smtp.ts';
import { Mailer, type MailSettings } from './index.ts';

const MAIL = { to: ['ada@example.com'], subject: 'Run', text: 'text', html: '<p>text</p>', id: 'm1', listId: 'nc-1' };
const NOW = Date.parse('2026-11-21T09:30:00.000Z');

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

const started = async <T extends { stop(): Promise<void> }>(server: Promise<T>): Promise<T> => {
  running.push(await server);
  return server;
};
const send = (settings: MailSettings, mail: Partial<typeof MAIL> = {}) =>
  new Mailer(settings, () => NOW).send({ ...MAIL, ...mail });

describe('a message', () => {
  let smtp: TestSmtp;

  test('arrives over TLS after a login, with headers against automatic replies', async () => {
    smtp = await started(startSmtp());
    const sent = await send(smtp.settings, { subject: 'Planned ✓' });
    expect(sent).toMatchObject({ outcome: 'arrived', accepted: MAIL.to, refused: [], postponed: [], code: '250' });
    const [mail] = smtp.received;
    expect(mail).toMatchObject({ from: 'keeper@ops.example.com', to: MAIL.to, secure: true, user: 'lockkeeper' });
    for (const header of [
      'From: Lockkeeper <keeper@ops.example.com>',
      'To: ada@example.com',
      'Message-ID: <m1@ops.example.com>',
      'List-ID: <nc-1.ops.example.com>',
      'Auto-Submitted: auto-generated',
      'Date: Sat, 21 Nov 2026 09:30:00 +0000',
      'Subject: =?UTF-8?Q?Planned_=E2=9C=93?=',
    ]) {
      expect(mail?.source).toContain(`${header}\r\n`);
    }
  });

  test('arrives with implicit TLS', async () => {
    smtp = await started(startSmtp({ secure: true }));
    expect(await send({ ...smtp.settings, tls: 'implicit' })).toMatchObject({ outcome: 'arrived' });
    expect(smtp.received[0]?.secure).toBe(true);
  });

  test('to a hundred recipients names none of them, and reports each one', async () => {
    smtp = await started(startSmtp());
    const to = Array.from({ length: 100 }, (_, index) => `user-${index}@example.com`);
    smtp.refuses.set('user-3@example.com', 550).set('user-7@example.com', 450);
    const sent = await send(smtp.settings, { to });
    expect(sent.outcome).toBe('failed');
    expect(sent.accepted).toHaveLength(98);
    expect(sent.refused).toEqual([{ address: 'user-3@example.com', answer: expect.stringContaining('550') }]);
    expect(sent.postponed).toEqual([{ address: 'user-7@example.com', answer: expect.stringContaining('450') }]);
    const [mail] = smtp.received;
    expect(mail?.to).toHaveLength(98);
    expect(mail?.source).toContain('To: "undisclosed-recipients":;\r\n');
    expect(mail?.source).not.toContain('user-1@');
  });

  test.each([
    ['a line break', 'Run\r\nBcc: eve@example.com'],
    ['another line break', 'Run\nX-Evil: 1'],
    ['a Unicode line separator', 'Run\u2028Bcc: eve@example.com'],
  ])('with %s in its subject has no further header', async (_what, subject) => {
    smtp = await started(startSmtp());
    await send(smtp.settings, { subject });
    expect(smtp.received[0]?.to).toEqual(MAIL.to);
    expect(smtp.received[0]?.source).not.toMatch(/^(Bcc|X-Evil):/m);
  });

  test('has a subject of bounded length', async () => {
    smtp = await started(startSmtp());
    await send(smtp.settings, { subject: 'x'.repeat(10_000) });
    const unfolded = smtp.received[0]?.source.replaceAll(/\r\n[ \t]/g, '') ?? '';
    expect((/^Subject: (.*)$/m.exec(unfolded)?.[1] ?? '').length).toBeLessThan(700);
  });
});

describe('an answer', () => {
  test.each([
    [550, 'refused'],
    [452, 'failed'],
  ] as const)('%i to the only recipient is shown: %s', async (status, outcome) => {
    const smtp = await started(startSmtp());
    smtp.refuses.set('ada@example.com', status);
    const sent = await send(smtp.settings);
    expect(sent).toMatchObject({ outcome, accepted: [], code: String(status) });
    expect(sent.reason).toBe(`the mail server answered: ${status} no mail for ada@example.com`);
  });

  test.each([
    [554, 'refused'],
    [451, 'failed'],
  ] as const)('%i to the message is shown: %s', async (status, outcome) => {
    const smtp = await started(startSmtp());
    smtp.refusesMessages = status;
    expect(await send(smtp.settings)).toMatchObject({ outcome, accepted: [], code: String(status) });
  });

  test('to a wrong password may be another one later, and does not repeat what the server said', async () => {
    const smtp = await started(startSmtp());
    const sent = await send({ ...smtp.settings, login: { username: 'lockkeeper', password: 'wrong' } });
    expect(sent).toMatchObject({ outcome: 'failed', accepted: [] });
    expect(sent.reason).toContain('smtp.username');
    expect(smtp.received).toEqual([]);
  });
});

/** Greets, and answers each line. */
const speaking =
  (answers: (line: string) => string | undefined, greeting = '220 mx.example.com ESMTP\r\n') =>
  (socket: Socket) => {
    socket.write(greeting);
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        const answer = answers(line);
        if (answer !== undefined) socket.write(answer);
      }
    });
  };

describe('a server that', () => {
  const scripted = (talk: (socket: Socket) => void): Promise<ScriptedServer> => started(startScripted(talk));
  const to = (server: ScriptedServer, more: Partial<MailSettings> = {}) =>
    send(settingsFor(server.port, { timeoutMs: 700, ...more }));

  test('offers no STARTTLS gets neither a message nor a password', async () => {
    const server = await scripted(
      speaking((line) => (line.startsWith('EHLO') ? '250-mx\r\n250 AUTH PLAIN\r\n' : '250 ok\r\n')),
    );
    const sent = await to(server, { login: { username: 'me', password: 'secret' } });
    expect(sent).toMatchObject({ outcome: 'failed', accepted: [] });
    expect(server.lines.join('\n')).not.toMatch(/AUTH|MAIL|DATA/);
  });

  test('refuses STARTTLS gets no message', async () => {
    const server = await scripted(
      speaking((line) => (line.startsWith('EHLO') ? '250-mx\r\n250 STARTTLS\r\n' : '454 not now\r\n')),
    );
    expect(await to(server)).toMatchObject({ outcome: 'failed', accepted: [] });
    expect(server.lines.join('\n')).not.toMatch(/MAIL|DATA/);
  });

  test('adds answers behind STARTTLS is not believed', async () => {
    const server = await scripted(
      speaking((line) =>
        line.startsWith('EHLO') ? '250-mx\r\n250 STARTTLS\r\n' : '220 go\r\n250 injected\r\n250 injected\r\n',
      ),
    );
    expect(await to(server)).toMatchObject({ outcome: 'failed', accepted: [] });
    expect(server.lines.join('\n')).not.toMatch(/MAIL|DATA/);
  });

  test.each([
    ['another name', 'other.example.com', [mailAuthority]],
    ['an unknown CA', 'localhost', []],
  ])('has a certificate for %s gets no message', async (_what, host, authorities) => {
    const smtp = await started(startSmtp({}, host));
    const sent = await send({ ...smtp.settings, authorities });
    expect(sent).toMatchObject({ outcome: 'failed', accepted: [], reason: expect.stringContaining('certificate') });
    expect(smtp.received).toEqual([]);
  });

  test('says nothing is left at the deadline', async () => {
    const server = await scripted(() => {});
    const sent = await to(server);
    expect(sent).toMatchObject({ outcome: 'failed', reason: 'the mail server did not answer in time' });
  });

  test('sends one byte at a time is left at the deadline', async () => {
    const server = await scripted((socket) => {
      const timer = setInterval(() => socket.write('2'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await to(server)).toMatchObject({ outcome: 'failed', reason: 'the mail server did not answer in time' });
  });

  test('sends a greeting without an end is left before it is read', async () => {
    let sent = 0;
    const server = await scripted((socket) => {
      const chunk = Buffer.alloc(65_536, 'x');
      const more = () => {
        if (!socket.destroyed) sent += chunk.length;
        if (!socket.destroyed) socket.write(chunk, () => setImmediate(more));
      };
      more();
    });
    expect(await to(server, { timeoutMs: 20_000 })).toMatchObject({ outcome: 'failed', accepted: [] });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('sends answers without an end is left', async () => {
    const server = await scripted((socket) => {
      const chunk = '220 mx\r\n'.repeat(1000);
      const more = () => !socket.destroyed && socket.write(chunk, () => setImmediate(more));
      more();
    });
    expect(await to(server, { timeoutMs: 20_000 })).toMatchObject({ outcome: 'failed', accepted: [] });
  });

  test('closes the connection is tried again', async () => {
    const server = await scripted((socket) => void socket.destroy());
    expect(await to(server)).toMatchObject({ outcome: 'failed', accepted: [], code: '' });
  });

  test('does not exist is tried again, and its address is not shown', async () => {
    const server = await startScripted(() => {});
    await server.stop();
    const sent = await to(server);
    expect(sent).toMatchObject({ outcome: 'failed', accepted: [] });
    expect(sent.reason).not.toContain('127.0.0.1');
    expect(sent.reason).not.toContain(String(server.port));
  });
});

test('an aborted delivery ends at once', async () => {
  const server = await started(startScripted(() => {}));
  const sent = await new Mailer(settingsFor(server.port, { timeoutMs: 40_000 }), () => NOW).send(
    MAIL,
    AbortSignal.abort(),
  );
  expect(sent.outcome).toBe('failed');
});
