import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_DETAILED } from '../../../../src/access/tokens/lookup/lookup-operations.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

interface Made {
  readonly client_token: string;
  readonly accessor: string;
}

describe.each(databaseKinds)('details of tokens, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });

  const make = async (body: unknown = {}, token = server.rootToken): Promise<Made> => {
    const answer = await server.call('POST', '/v1/auth/token/create', { token, body });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.auth;
  };
  const list = (query: string, token = server.rootToken) =>
    server.call('LIST', `/v1/auth/token/accessors?${query}`, { token });
  const descendants = async ({ accessor }: Made): Promise<number> => {
    const body = { accessor, detail: true };
    return (await server.root('POST', '/v1/auth/token/lookup-accessor', body)).body.data.descendants;
  };

  beforeAll(async () => {
    server = await startTestServer(kind);
    const policy = `path "auth/token/create*" { capabilities = ["update"] }`;
    await server.root('PUT', '/v1/sys/policies/acl/maker', { policy });
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem, token_policies: 'maker' });
  });
  afterAll(() => server.stop());

  it('show the fields of a look-up, page by page, with the origin of each token', async () => {
    const top = await make({ policies: ['maker'], display_name: 'top', ttl: '1h' });
    const child = await make({ display_name: 'child' }, top.client_token);
    const { body: login } = await server.call('POST', '/v1/auth/cert/login', {
      certificate: ca.issue({ subject: 'web-1' }),
      body: {},
    });
    const seen: Record<string, Record<string, unknown>> = {};
    let after = '';
    for (;;) {
      const { status, body } = await list(`detail=true&limit=2&after=${after}`);
      if (status === 404) break;
      expect(Object.keys(body.data.key_info).sort()).toEqual(body.data.keys);
      Object.assign(seen, body.data.key_info);
      after = body.data.keys.at(-1);
    }
    expect(Object.keys(seen).sort()).toEqual((await list('')).body.data.keys);
    const looked = (await server.root('POST', '/v1/auth/token/lookup-accessor', { accessor: child.accessor })).body
      .data;
    const { ttl: _, ...known } = looked;
    expect(seen[child.accessor]).toMatchObject({ ...known, id: '', parent: top.accessor, disabled: false });
    expect(seen[top.accessor]).toMatchObject({ display_name: 'token-top', policies: ['default', 'maker'] });
    expect(seen[login.auth.accessor]).toMatchObject({ path: 'auth/cert/login', entity_id: login.auth.entity_id });
    expect(seen[login.auth.accessor]).not.toHaveProperty('parent');
    expect(JSON.stringify(seen)).not.toContain(top.client_token);

    await server.root('POST', `/v1/identity/entity/id/${login.auth.entity_id}`, { disabled: true });
    expect((await list('detail=true')).body.data.key_info[login.auth.accessor]).toMatchObject({ disabled: true });
    await server.root('POST', '/v1/auth/token/revoke-accessor', { accessor: top.accessor });
    const info = (await list('detail=true')).body.data.key_info;
    expect(info[top.accessor]).toBeUndefined();
    expect(info[child.accessor]).toMatchObject({ ended: true });
  });

  it('need permission to look up a token by its accessor', async () => {
    const rule = (path: string, capabilities: string) => `path "${path}" { capabilities = [${capabilities}] }\n`;
    const listing = rule('auth/token/accessors', '"list", "sudo"');
    await server.root('PUT', '/v1/sys/policies/acl/lister', { policy: listing });
    const { client_token: token } = await make({ policies: ['lister'] });
    expect((await list('', token)).status).toBe(200);
    const refused = await list('detail=true', token);
    expect([refused.status, refused.body.errors]).toEqual([
      403,
      ['details need the capability update on auth/token/lookup-accessor'],
    ]);
    const policy = listing + rule('auth/token/lookup-accessor', '"update"');
    await server.root('PUT', '/v1/sys/policies/acl/lister', { policy });
    expect((await list('detail=true', token)).status).toBe(200);
  });

  it('come in pages that are not too long', async () => {
    for (let made = 0; made <= MAX_DETAILED; made += 50) await Promise.all(Array.from({ length: 50 }, () => make()));
    for (const query of ['detail=true', `detail=true&limit=${MAX_DETAILED + 1}`]) {
      const { status, body } = await list(query);
      expect([status, body.errors[0]]).toEqual([400, expect.stringContaining(`at most ${MAX_DETAILED} tokens`)]);
    }
    const page = await list(`detail=true&limit=${MAX_DETAILED}`);
    expect(page.body.data.keys).toHaveLength(MAX_DETAILED);
    expect((await list('detail=maybe')).status).toBe(400);
  });

  it('count the descendants of a token at any depth', async () => {
    const top = await make({ policies: ['maker'] });
    expect(await descendants(top)).toBe(0);
    const middle = await make({}, top.client_token);
    await make({}, middle.client_token);
    await make({}, middle.client_token);
    await make({ ttl: '1h' }, top.client_token);
    expect([await descendants(top), await descendants(middle)]).toEqual([4, 2]);
    await server.root('POST', '/v1/auth/token/revoke-accessor', { accessor: middle.accessor });
    expect(await descendants(top)).toBe(1);
    const plain = await server.root('POST', '/v1/auth/token/lookup-accessor', { accessor: top.accessor });
    expect(plain.body.data).not.toHaveProperty('descendants');
    const child = await make({}, top.client_token);
    const body = { accessor: child.accessor, detail: true };
    const { data } = (await server.root('POST', '/v1/auth/token/lookup-accessor', body)).body;
    expect(data).toMatchObject({ parent: top.accessor, descendants: 0 });
  });
});
