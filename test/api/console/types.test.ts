import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiTypes, type OpenApi } from '../../../build/console-api.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer('sqlite');
});
afterAll(() => server.stop());

it.each([
  ['access', '/v1/openapi.json'],
  ['workspaces', '/api/v2/openapi.json'],
])('the types of the console fit the document of %s (node build/generate-console-api.ts)', async (name, path) => {
  const { body } = await server.call('GET', path, { token: server.rootToken });
  const file = new URL(`../../../console/src/api/generated/${name}.ts`, import.meta.url);
  expect(readFileSync(file, 'utf8') === apiTypes(body as OpenApi)).toBe(true);
});
