import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  compilePattern,
  isDone,
  type OrganizationSource,
  openPlace,
  stateFileSource,
} from '../../src/migration/index.ts';
import type { Dialect } from '../../src/storage/index.ts';
import { stateText } from '../api/workspaces/support/states.ts';
import { databaseKinds, postgresUrl } from '../support/databases.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { made, moveTo } from './support/two-servers.ts';

const ACCESS = {
  s3: { region: 'us-east-1' },
  http: { names: ['blue', 'green'], username: 'ada', password: 'secret' },
  pg: { address: postgresUrl, schema: 'terraform_remote_state' },
};

async function sourceOf(from: string, text: string, access: object = {}): Promise<OrganizationSource> {
  const pattern = compilePattern(text);
  const place = await openPlace(from, pattern, { ...ACCESS, ...access });
  return { ...(await stateFileSource(place, { pattern, project: 'Moved' })), close: () => place.close() };
}

const found = async (server: TestServer, name: string) => {
  const path = `/api/v2/organizations/moved/workspaces/${name}?include=current_state_version`;
  return (await server.user('GET', path)).body.included?.[0]?.attributes;
};

async function startTarget(kind: Dialect): Promise<TestServer> {
  const server = await startTestServer(kind);
  await made(server, '/organizations', 'organizations', { name: 'moved', email: 'ops@example.com' });
  return server;
}

describe.each(databaseKinds)('states of the http backend move, on %s', { timeout: 60_000 }, (kind) => {
  let server: TestServer;
  let backend: Server;
  const asked: (string | undefined)[] = [];
  beforeAll(async () => {
    server = await startTarget(kind);
    backend = createServer(({ url, headers }, response) => {
      asked.push(headers.authorization);
      const [, name] = /^\/states\/(\w+)\.json$/.exec(url ?? '') ?? [];
      if (name !== 'blue') return void response.writeHead(404).end();
      response.end(stateText(6));
    });
    await new Promise<void>((resolve) => {
      backend.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(async () => {
    backend.close();
    await server.stop();
  });

  const from = () => `http://127.0.0.1:${(backend.address() as AddressInfo).port}/states`;

  it('where they exist, with the user name of the backend', async () => {
    const report = await moveTo(server, await sourceOf(from(), '{name}.json'));
    expect(report.states).toEqual([{ workspace: 'blue', action: 'upload', versions: 1 }]);
    expect(report.refused).toEqual([
      { about: 'state of workspace green', why: expect.stringMatching(/answered 404 .*green\.json$/) },
    ]);
    expect(await found(server, 'blue')).toMatchObject({ serial: 6, lineage: 'lineage-1' });
    expect(new Set(asked)).toEqual(new Set([`Basic ${btoa('ada:secret')}`]));
  });

  it('only by their names, because it has no list', async () => {
    const http = { names: [] };
    await expect(sourceOf(from(), '{name}.json', { http })).rejects.toThrow('needs --names');
  });

  it('only with TLS, which is checked before anything is created', async () => {
    await expect(sourceOf('http://states.example.com/states', '{name}.json')).rejects.toThrow('has no TLS');
  });
});

describe.skipIf(postgresUrl === undefined)('states of the pg backend move', { timeout: 60_000 }, () => {
  const schema = `backend_${process.pid}`;
  const large = stateText(3, { outputs: { text: { value: 'ä'.repeat(2_500_000), type: 'string' } } });
  let server: TestServer;
  let client: Client;
  beforeAll(async () => {
    server = await startTarget('postgres');
    client = new Client({ connectionString: postgresUrl });
    await client.connect();
    await client.query(`CREATE SCHEMA ${schema}`);
    await client.query(`CREATE TABLE ${schema}.states (id int PRIMARY KEY, name text UNIQUE, data text)`);
    const rows = `INSERT INTO ${schema}.states VALUES (1, 'default', $1), (2, 'large', $2)`;
    await client.query(rows, [stateText(2), large]);
  });
  afterAll(async () => {
    await client.query(`DROP SCHEMA ${schema} CASCADE`);
    await client.end();
    await server.stop();
  });

  it('row by row, a large one in pieces', async () => {
    const source = await sourceOf('pg', '{name}', { pg: { address: postgresUrl, schema } });
    const report = await moveTo(server, source);
    expect(report.states).toHaveLength(2);
    expect(await found(server, 'default')).toMatchObject({ serial: 2 });
    expect(await found(server, 'large')).toMatchObject({ serial: 3, size: Buffer.byteLength(large) });
    expect(isDone(await moveTo(server, source))).toBe(true);
    await source.close?.();
  });

  it('only if the schema exists', async () => {
    const pg = { address: postgresUrl, schema: 'none' };
    await expect(sourceOf('pg', '{name}', { pg })).rejects.toThrow('relation "none.states" does not exist');
  });
});
