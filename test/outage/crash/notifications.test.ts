import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startServing } from '../../clients/support/serving.ts';
import { call } from '../../support/http.ts';
import { startReceiver } from '../../support/receiver.ts';
import { archive } from '../../support/samples/archive.ts';

it('notifications of a run are sent even if the server is killed as soon as it has answered', async () => {
  const receiver = await startReceiver();
  const serving = await startServing(
    '{ type: sqlite, directory: data }',
    `notifications: { allowed_addresses: [127.0.0.1], authorities_file: ${receiver.caFile} }\n`,
  );
  let { address } = serving;
  const ca = readFileSync(serving.caFile, 'utf8');
  const post = async (path: string, type: string, attributes: object, more: object = {}) => {
    const body = { data: { type, attributes, ...more } };
    const answer = await call({ address, ca }, 'POST', `/api/v2${path}`, { token: serving.userToken, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  await post('/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
  const { id } = await post('/organizations/acme/workspaces', 'workspaces', { name: 'one' });
  const version = await post(`/workspaces/${id}/configuration-versions`, 'configuration-versions', {
    'auto-queue-runs': false,
  });
  const upload = new URL(version.attributes['upload-url']).pathname;
  expect((await call({ address, ca }, 'PUT', upload, { body: archive() })).status).toBe(200);
  await post(`/workspaces/${id}/notification-configurations`, 'notification-configurations', {
    ...{ name: 'Builds', 'destination-type': 'generic', url: `${receiver.address}/hook`, enabled: true },
    triggers: ['run:created'],
  });
  // The receiver refuses requests, so the server sends them again after its restart.
  receiver.answer = (_received, response) => void response.writeHead(503).end();
  const relationships = { workspace: { data: { type: 'workspaces', id } } };
  const run = await post('/runs', 'runs', {}, { relationships });
  const killed = serving.restart();
  address = await killed;
  receiver.answer = (_received, response) => void response.end();
  const told = () => receiver.received.filter(({ body }) => body.run_id === run.id).length;
  await expect.poll(told, { timeout: 90_000, interval: 200 }).toBeGreaterThan(0);
  await serving.stop();
  await receiver.stop();
}, 120_000);
