/** Writes console/src/api/generated from the documents of a server: `node build/generate-console-api.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '../test/support/server.ts';
import { apiTypes, type OpenApi } from './console-api.ts';

const FOLDER = fileURLToPath(new URL('../console/src/api/generated', import.meta.url));
const DOCUMENTS = { access: '/v1/openapi.json', workspaces: '/api/v2/openapi.json' };

const server = await startTestServer('sqlite');
mkdirSync(FOLDER, { recursive: true });
for (const [name, path] of Object.entries(DOCUMENTS)) {
  const { body } = await server.call('GET', path, { token: server.rootToken });
  writeFileSync(`${FOLDER}/${name}.ts`, apiTypes(body as OpenApi));
}
await server.stop();
