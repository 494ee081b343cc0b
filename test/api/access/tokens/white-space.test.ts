import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { END_STREAM, FrameClient } from '../../../support/http2/frames.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

/** White space that `echo`, an editor or a secret of Kubernetes leaves around a token. */
const AROUND = [(token: string) => `${token}\n`, (token: string) => ` \t${token}\r\n`];

describe.each(databaseKinds)('white space around a token, on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());

  const create = async (): Promise<string> =>
    (await server.root('POST', '/v1/auth/token/create', { ttl: '1h' })).body.auth.client_token;

  it('is no part of it in the bodies that name one', async () => {
    for (const spaced of AROUND) {
      const token = await create();
      const lookup = await server.root('POST', '/v1/auth/token/lookup', { token: spaced(token) });
      expect(lookup.body.data.id).toBe(token);
      const renewed = await server.root('POST', '/v1/auth/token/renew', { token: spaced(token) });
      expect(renewed.body.auth.client_token).toBe(token);
      const asked = { token: spaced(token), paths: ['auth/token/lookup-self'] };
      const { body } = await server.root('POST', '/v1/sys/capabilities', asked);
      expect(body.data.capabilities).toEqual(['root']);
      const explained = await server.root('POST', '/v1/sys/policies/explain', {
        token: spaced(token),
        path: 'x',
        capability: 'read',
      });
      expect(explained.status).toBe(200);
      expect((await server.root('POST', '/v1/auth/token/revoke', { token: spaced(token) })).status).toBe(204);
      expect((await server.root('POST', '/v1/auth/token/lookup', { token })).status).toBe(403);
    }
    const none = await server.root('POST', '/v1/auth/token/lookup', { token: '\n' });
    expect([none.status, none.body.errors]).toEqual([400, ['missing token ID']]);
  });

  it('is no part of a wrapping token', async () => {
    const wrap = async (): Promise<string> => {
      const options = { token: server.rootToken, headers: { 'x-vault-wrap-ttl': '60' }, body: { a: 'b' } };
      return (await server.call('POST', '/v1/sys/wrapping/wrap', options)).body.wrap_info.token;
    };
    for (const spaced of AROUND) {
      const body = { token: spaced(await wrap()) };
      expect((await server.call('POST', '/v1/sys/wrapping/lookup', { body })).status).toBe(200);
      expect((await server.call('POST', '/v1/sys/wrapping/unwrap', { body })).body.data).toEqual({ a: 'b' });
    }
  });

  it('is no part of it in headers, over HTTP/1.1 and HTTP/2', async () => {
    const token = await create();
    const user = server.userToken;
    const spellings = [
      ['/v1/auth/token/lookup-self', { 'x-vault-token': ` ${token}\t` }],
      ['/v1/auth/token/lookup-self', { 'x-service-token': `${token} ` }],
      ['/v1/auth/token/lookup-self', { authorization: `Bearer   ${token}  ` }],
      ['/v1/auth/token/lookup-self', { authorization: ` bearer \t${token}\t` }],
      ['/api/v2/account/details', { authorization: `Bearer  ${user} ` }],
    ] as const;
    const client = await FrameClient.connect({ port: Number(new URL(server.address).port), ca: server.ca });
    for (const [path, headers] of spellings) {
      expect((await server.call('GET', path, { headers })).status, JSON.stringify(headers)).toBe(200);
      const stream = client.request('GET', path, headers);
      client.send('DATA', END_STREAM, stream);
      await client.until(() => client.isAnswered(stream));
      expect([headers, client.answer(stream).status]).toEqual([headers, 200]);
    }
    client.close();
    const inside = await server.call('GET', '/v1/auth/token/lookup-self', {
      headers: { authorization: `Bearer ${token.replace('.', '. ')}` },
    });
    expect(inside.status).toBe(403);
  });
});
