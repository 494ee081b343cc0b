import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestAudit } from '../../test/support/audit.ts';
import { dial, echoService, listening, message, serverTls } from '../../test/support/listening.ts';
import { createServer, DEFAULT_LIMITS, Metrics, Readiness } from './index.ts';

const logger = pino({ level: 'silent' });
const common = { requestClientCertificate: true, limits: DEFAULT_LIMITS, services: [echoService()] };

test('each listener serves what it was given, and health besides', async () => {
  const metrics = new Metrics();
  const address = { host: '127.0.0.1', port: 0 };
  const server = createServer({
    listeners: [
      { name: 'public', address, tls: serverTls, ...common },
      { name: 'internal', address, ...common, services: [metrics.service()] },
    ],
    logger,
    metrics,
    audit: await openTestAudit([], logger, metrics),
    readiness: new Readiness([]),
  });
  onTestFinished(() => server.close(0));
  const started = await server.start();
  expect(started.map(({ name }) => name)).toEqual(['public', 'internal']);
  const status: Record<string, number[]> = {};
  for (const [i, { name, address: bound }] of started.entries()) {
    const wire = await dial({ port: bound.port, secure: i === 0 });
    onTestFinished(() => void wire.socket.destroy());
    status[name] = [];
    for (const path of ['/echo/said/x', '/metrics', '/healthz/live', '/healthz/ready']) {
      status[name].push((await wire.ask(message('GET', path))).status);
    }
  }
  expect(status).toEqual({ public: [200, 404, 200, 200], internal: [404, 200, 200, 200] });
});

test('when one listener cannot start, none is left open', async () => {
  const taken = await listening({ tls: false });
  onTestFinished(() => taken.server.close(0));
  const free = await listening({ tls: false });
  await free.server.close(0);
  const metrics = new Metrics();
  const server = createServer({
    listeners: [
      { name: 'one', address: { host: '127.0.0.1', port: free.port }, ...common },
      { name: 'two', address: { host: '127.0.0.1', port: taken.port }, ...common },
    ],
    logger,
    metrics,
    audit: await openTestAudit([], logger, metrics),
    readiness: new Readiness([]),
  });
  await expect(server.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await expect(dial(free)).rejects.toThrow('ECONNREFUSED');
});
