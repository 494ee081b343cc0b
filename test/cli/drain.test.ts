import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDev } from '../support/command.ts';

it('SIGTERM lets a request in flight finish, refuses new ones, and exits with 0', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'lockkeeper-drain-')), 'demo');
  const { command, line, call } = await startDev(folder);
  const body = JSON.stringify({ data: { type: 'workspaces', attributes: { name: 'in-flight' } } });
  const answered = Promise.withResolvers<IncomingMessage>();
  const inFlight = request(new URL(`/api/v2/organizations/${line.organization}/workspaces`, line.address), {
    method: 'POST',
    ca: readFileSync(line.ca_file),
    agent: false,
    headers: {
      authorization: `Bearer ${line.user_token}`,
      'content-type': 'application/vnd.api+json',
      'content-length': Buffer.byteLength(body),
    },
  });
  inFlight.on('response', answered.resolve).on('error', answered.reject);
  // The server has the head and half of the body: the request has started.
  await new Promise((written) => inFlight.write(body.slice(0, 20), written));
  await expect.poll(async () => (await call('GET', '/metrics')).text).toMatch(/^http_requests_in_flight\S* 2$/m);

  command.signal('SIGTERM');
  await expect
    .poll(
      () =>
        call('GET', '/healthz/live').then(
          ({ status }) => status,
          (error) => error.code,
        ),
      // The server closes its listener at a moment without new connections.
      { timeout: 10_000 },
    )
    .toBe('ECONNREFUSED');
  expect(command.process.exitCode).toBeNull();
  inFlight.end(body.slice(20));
  const response = await answered.promise;
  expect(response.statusCode).toBe(201);
  expect(await command.ended()).toMatchObject({ code: 0, stderr: '' });
  rmSync(folder, { recursive: true });
});
