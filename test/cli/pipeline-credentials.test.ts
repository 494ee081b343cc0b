import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Command } from '../support/command.ts';
import { type Issuer, startIssuer } from '../support/jwt/issuer.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const HELPER = fileURLToPath(new URL('../../src/credentials-helper.ts', import.meta.url));

describe('terraform-credentials-lockkeeper in a pipeline', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-pipeline-'));
  let server: TestServer;
  let issuer: Issuer;
  let host: string;
  let runtime: string;
  let environment: Record<string, string>;
  let actions: Server;
  /** Requests to the GitHub Actions job, with their tokens. */
  const asked: { audience: string | null; authorization: string | undefined }[] = [];

  const sign = (changes: object = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      sub: 'repo:acme/infra',
      repository: 'acme/infra',
      aud: `https://${host}`,
      iat: now,
      exp: now + 300,
    };
    return issuer.sign({ iss: issuer.url, ...claims, ...changes });
  };
  const send = async (path: string, type: string, attributes: object) =>
    (await server.user('POST', `/api/v2${path}`, { data: { type, attributes } })).body.data.id;

  beforeAll(async () => {
    server = await startTestServer('sqlite', { notifications: { allowedAddresses: ['127.0.0.1'] } });
    issuer = await startIssuer();
    host = new URL(server.address).host;
    await send('/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    const team = await send('/organizations/acme/teams', 'teams', { name: 'deploy' });
    const bound = { audiences: [`https://${host}`], claims: { repository: 'acme/infra' }, 'token-ttl': 3600 };
    await send(`/teams/${team}/pipeline-identities`, 'pipeline-identities', { issuer: issuer.url, ...bound });
    actions = createServer(async ({ url = '', headers }, response) => {
      asked.push({
        audience: new URL(url, 'http://x').searchParams.get('audience'),
        authorization: headers.authorization,
      });
      response.end(JSON.stringify({ count: 1, value: await sign() }));
    }).listen(0, '127.0.0.1');
    await once(actions, 'listening');
    writeFileSync(join(folder, 'ca.pem'), server.ca);
  });
  beforeEach(() => {
    runtime = mkdtempSync(join(folder, 'run-'));
    environment = {
      LOCKKEEPER_ADDR: server.address,
      LOCKKEEPER_CACERT: join(folder, 'ca.pem'),
      LOCKKEEPER_TEAM: 'acme/deploy',
      LOCKKEEPER_RUNTIME_DIR: runtime,
    };
  });
  afterAll(async () => {
    actions.close();
    await issuer.stop();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const run = (args: readonly string[], more: Record<string, string> = {}) =>
    new Command(args, { ...environment, ...more }, HELPER).ended();
  const get = async (more: Record<string, string>, ...options: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run([...options, 'get', host], more);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout).token;
  };
  const opens = async (token: string) =>
    (await server.call('GET', '/api/v2/organizations/acme/entitlement-set', { token })).status;

  it('exchanges the token of a job for one of the team, once', async () => {
    const job = { LOCKKEEPER_ID_TOKEN: await sign() };
    const token = await get(job);
    expect(await opens(token)).toBe(200);
    expect(await get(job)).toBe(token);
    // Another job on the same machine gets another token.
    expect(await get({ LOCKKEEPER_ID_TOKEN: await sign({ jti: 'another' }) })).not.toBe(token);
    await run(['forget', host], job);
    expect(readdirSync(runtime)).toHaveLength(1);
    expect(await get(job)).not.toBe(token);
  });

  it('asks a job of GitHub Actions for a token that is meant for this server', async () => {
    const url = `http://127.0.0.1:${(actions.address() as AddressInfo).port}/idtoken?api-version=2.0`;
    const token = await get({ ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job' });
    expect(await opens(token)).toBe(200);
    expect(asked).toEqual([{ audience: `https://${host}`, authorization: 'Bearer of-the-job' }]);
  });

  it('reads a configuration file, and the token from a variable or a file that this names', async () => {
    const settings = { address: server.address, ca_cert: 'ca.pem', team: 'acme/deploy' };
    const file = join(folder, 'helper.json');
    writeFileSync(join(folder, 'id-token'), `${await sign()}\n`);
    writeFileSync(file, JSON.stringify({ hosts: { [host]: { ...settings, id_token_file: 'id-token' } } }));
    expect(await opens(await get({}, '--config', file))).toBe(200);
    writeFileSync(file, JSON.stringify({ hosts: { [host]: { ...settings, id_token_env: 'OWN_TOKEN' } } }));
    expect(await opens(await get({ OWN_TOKEN: await sign() }, '--config', file))).toBe(200);
    writeFileSync(file, JSON.stringify({ hosts: { [host]: { ...settings, cert: 'x.pem' } } }));
    const both = await run(['--config', file, 'get', host]);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('cert and team')]);
  });

  it('says what to do where there is no token, and where it is refused', async () => {
    const none = await run(['get', host]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('id-token: write')]);
    const token = await sign({ repository: 'acme/other' });
    const refused = await run(['get', host], { LOCKKEEPER_ID_TOKEN: token });
    expect([refused.stdout, refused.stderr]).toEqual(['', expect.stringContaining('no pipeline identity of the team')]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).not.toContain(token);
    const stored = await run(['store', host], { LOCKKEEPER_ID_TOKEN: token });
    expect(stored.stderr).toContain('the pipeline token');
    expect((await run(['get', 'registry.example.com'])).stdout).toBe('{}\n');
  });
});
