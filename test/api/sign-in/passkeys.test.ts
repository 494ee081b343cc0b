import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { ConsolePages } from '../../support/sign-in/console-pages.ts';
import { Authenticator, type Deviation } from '../../support/sign-in/passkey.ts';

const PASSKEYS = '/passkeys';
const REGISTRATION = `${PASSKEYS}/registration`;

describe.each(databaseKinds)('passkeys on %s', (kind) => {
  let server: TestServer;
  let node: TestServer;

  beforeAll(async () => {
    const options = { services: ['access', 'workspaces', 'console'] } as const;
    server = await startTestServer(kind, options);
    node = await startTestServer(kind, { ...options, beside: server });
    await server.application.workspaces.tenancy.users.setSiteAdmin('first', true);
  });
  afterAll(async () => {
    await node?.stop();
    await server?.stop();
  });

  const wait = (seconds: number) => [server, node].forEach((one) => void one.advance(seconds));

  /** Creates a user with a browser that is signed in by a token. */
  async function newUser(name: string) {
    const { tenancy } = server.application.workspaces;
    const user = await tenancy.users.create({ username: name, email: `${name}@example.com` });
    const { text } = await tenancy.tokens.issue(user.id, { description: '', expiresAt: null });
    const pages = new ConsolePages(server);
    expect((await pages.post('', { token: text })).status).toBe(201);
    return { id: user.id, token: text, pages, key: new Authenticator(pages.origin) };
  }

  async function register(pages: ConsolePages, key: Authenticator, name = 'laptop', other: Deviation = {}) {
    const asked = await pages.post(`${REGISTRATION}/options`);
    expect(asked.status, asked.text).toBe(200);
    return pages.post(REGISTRATION, { response: key.create(asked.body.options, other), name });
  }

  async function signIn(pages: ConsolePages, key: Authenticator, other: Deviation = {}) {
    const asked = await pages.post(`${PASSKEYS}/options`);
    expect(asked.status, asked.text).toBe(200);
    return pages.post(PASSKEYS, { response: key.get(asked.body.options, other) });
  }

  const listOf = async (id: string) =>
    (await server.user('GET', `/api/v2/users/${id}/passkeys`)).body.data as {
      id: string;
      attributes: Record<string, unknown>;
    }[];

  it('a user registers one, and signs in with it on another node, without a name or a token', async () => {
    const { id, pages, key } = await newUser('ada');
    const asked = await pages.post(`${REGISTRATION}/options`);
    expect(asked.body.options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: 'ada' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(asked.headers['set-cookie']?.[0]).toMatch(
      /^__Host-lockkeeper-passkey=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=300$/,
    );
    const made = await pages.post(REGISTRATION, { response: key.create(asked.body.options), name: ' laptop ' });
    expect([made.status, made.body]).toEqual([201, { id: expect.stringMatching(/^pk-/), name: 'laptop' }]);
    expect(pages.cookie('__Host-lockkeeper-passkey')).toBeUndefined();

    const there = new ConsolePages(node, new URL(pages.origin).host);
    const answer = await signIn(there, key);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.workspaces).toMatchObject({ kind: 'user', name: 'ada' });
    const account = await there.send('GET', '/api/v2/account/details');
    expect(account.body.data.attributes.username).toBe('ada');
    const sessions = (await server.user('GET', `/api/v2/users/${id}/sessions`)).body.data;
    expect(sessions.map((one: { attributes: object }) => one.attributes)).toMatchObject([
      { 'signed-in-by': 'passkey' },
      { 'signed-in-by': 'token' },
    ]);
    const [passkey] = await listOf(id);
    expect(passkey?.attributes).toMatchObject({
      ...{ name: 'laptop', host: 'localhost', transports: ['internal'], 'is-syncable': true, 'is-synced': true },
      'last-used-at': new Date(node.now()).toISOString(),
    });
    expect(JSON.stringify(passkey)).not.toContain(key.credentialId);
    const lines = server.auditLines().concat(node.auditLines());
    const line = lines.findLast((one) => JSON.stringify(one).includes('actor_via":"passkey'));
    expect(JSON.stringify(line)).toContain('"ada"');
  });

  it('a user has several, renames and removes them; removing one ends its sessions', async () => {
    const { id, token, pages, key } = await newUser('grace');
    const other = new Authenticator(pages.origin);
    expect((await register(pages, key, 'laptop')).status).toBe(201);
    expect((await register(pages, other, 'key')).status).toBe(201);
    // The clock stands still, so their order is random.
    const made = await listOf(id);
    const [first, second] = ['laptop', 'key'].map((name) => made.find(({ attributes }) => attributes.name === name));
    const rename = (name: string) =>
      server.call('PATCH', `/api/v2/passkeys/${first?.id}`, {
        token,
        body: { data: { type: 'passkeys', attributes: { name } } },
      });
    expect((await rename('work laptop')).body.data.attributes.name).toBe('work laptop');
    expect((await rename('')).status).toBe(422);
    // Site administrators see and remove the passkeys of others, and do not rename them.
    const named = { data: { type: 'passkeys', attributes: { name: 'mine' } } };
    expect((await server.user('PATCH', `/api/v2/passkeys/${first?.id}`, named)).status).toBe(404);
    const stranger = await newUser('eve');
    const asEve = { token: stranger.token };
    expect((await server.call('GET', `/api/v2/users/${id}/passkeys`, asEve)).status).toBe(404);
    expect((await server.call('DELETE', `/api/v2/passkeys/${first?.id}`, asEve)).status).toBe(404);

    const browser = new ConsolePages(server);
    expect((await signIn(browser, key)).status).toBe(201);
    expect((await server.user('DELETE', `/api/v2/passkeys/${first?.id}`)).status).toBe(204);
    expect((await browser.send('GET', '/api/v2/account/details')).status).toBe(401);
    expect((await pages.send('GET', '/api/v2/account/details')).status).toBe(200);
    expect((await signIn(browser, key)).status).toBe(403);
    expect((await signIn(browser, other)).status).toBe(201);
    expect((await listOf(id)).map((one) => one.id)).toEqual([second?.id]);
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://localhost.example.com' }],
    ['a page inside another site', { crossOrigin: true }],
    ['another challenge', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['another type', { type: 'webauthn.create' }],
    ['another host', { host: 'example.com' }],
    ['a user who was not verified', { verified: false }],
    ['another user', { userHandle: Buffer.from('user-1').toString('base64url') }],
    ['no user', { userHandle: '' }],
    ['an unknown passkey', { credentialId: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('a sign-in with %s is refused', async (_what, other) => {
    const { id, pages, key } = await newUser(`user-${Math.random().toString(36).slice(2)}`);
    expect((await register(pages, key)).status).toBe(201);
    const browser = new ConsolePages(server);
    const answer = await signIn(browser, key, other);
    expect([answer.status, answer.body.errors]).toEqual([403, [expect.stringContaining('passkey was not accepted')]]);
    expect(browser.cookie('__Host-lockkeeper')).toBeUndefined();
    expect((await listOf(id))[0]?.attributes['last-used-at']).toBeNull();
    expect((await signIn(browser, key)).status).toBe(201);
  });

  it('the key of another user does not open an account', async () => {
    const ada = await newUser('ada-2');
    const eve = await newUser('eve-2');
    expect((await register(ada.pages, ada.key)).status).toBe(201);
    expect((await register(eve.pages, eve.key)).status).toBe(201);
    const browser = new ConsolePages(server);
    const handle = Buffer.from(ada.id).toString('base64url');
    expect((await signIn(browser, eve.key, { userHandle: handle })).status).toBe(403);
    expect((await signIn(browser, eve.key, { credentialId: ada.key.credentialId })).status).toBe(403);
    const both = { credentialId: ada.key.credentialId, userHandle: handle };
    expect((await signIn(browser, eve.key, both)).status).toBe(403);
  });

  it('a question is answered once, by the browser that got it, within five minutes', async () => {
    const { pages, key } = await newUser('mary');
    expect((await register(pages, key)).status).toBe(201);
    const browser = new ConsolePages(server);
    const asked = await browser.post(`${PASSKEYS}/options`);
    const cookie = browser.cookie('__Host-lockkeeper-passkey') ?? '';
    const response = key.get(asked.body.options);
    // The response without its cookie, in another browser.
    const other = new ConsolePages(server);
    expect((await other.post(PASSKEYS, { response })).status).toBe(403);
    await other.post(`${PASSKEYS}/options`);
    expect((await other.post(PASSKEYS, { response })).status).toBe(403);
    expect((await browser.post(PASSKEYS, { response })).status).toBe(201);
    // A thief has copied both, and uses another node. The counter of a passkey that does not count would not help.
    key.counter++;
    const thief = new ConsolePages(node, new URL(pages.origin).host);
    thief.setCookie('__Host-lockkeeper-passkey', cookie);
    expect((await thief.post(PASSKEYS, { response })).status).toBe(403);
    thief.setCookie('__Host-lockkeeper-passkey', cookie);
    const later = await thief.post(PASSKEYS, { response: key.get(asked.body.options) });
    expect(later.status).toBe(403);
    expect(JSON.stringify(node.auditLines().at(-1))).toContain('a passkey was refused: replayed');

    const late = await browser.post(`${PASSKEYS}/options`);
    const answer = key.get(late.body.options);
    wait(301);
    expect((await browser.post(PASSKEYS, { response: answer })).status).toBe(403);
  });

  it('a copy of a passkey is noticed by its counter', async () => {
    const { pages, key } = await newUser('joan');
    expect((await register(pages, key)).status).toBe(201);
    const copy = key.copy();
    const browser = new ConsolePages(server);
    expect((await signIn(browser, key)).status).toBe(201);
    expect((await signIn(browser, key)).status).toBe(201);
    const answer = await signIn(new ConsolePages(server), copy);
    expect([answer.status, answer.body.errors[0]]).toEqual([403, expect.stringContaining('there may be a copy')]);
    const line = JSON.stringify(server.auditLines().at(-1));
    expect(line).toContain('a passkey was refused: cloned');
    expect(line).toContain('"joan"');
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example.com' }],
    ['another challenge', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['another type', { type: 'webauthn.get' }],
    ['another host', { host: 'example.com' }],
    ['a user who was not verified', { verified: false }],
    // A certificate would name URLs that the server fetches.
    ['a certificate', { attestation: ['packed', Buffer.from('a163783563814101', 'hex')] }],
    ['an attestation of a TPM', { attestation: ['tpm', Buffer.from([0xa0])] }],
    ['an unknown attestation', { attestation: ['mine', Buffer.from([0xa0])] }],
  ])('a registration with %s is refused', async (_what, other) => {
    const { id, pages, key } = await newUser(`user-${Math.random().toString(36).slice(2)}`);
    const answer = await register(pages, key, 'laptop', other);
    expect([answer.status, answer.body.errors]).toEqual([403, [expect.stringContaining('passkey was not accepted')]]);
    expect(await listOf(id)).toEqual([]);
  });

  it('a registration belongs to the session that started it', async () => {
    const ada = await newUser('ada-3');
    const eve = await newUser('eve-3');
    const asked = await eve.pages.post(`${REGISTRATION}/options`);
    const response = eve.key.create(asked.body.options);
    // Eve plants her question in the browser of Ada.
    ada.pages.setCookie('__Host-lockkeeper-passkey', eve.pages.cookie('__Host-lockkeeper-passkey') ?? '');
    expect((await ada.pages.post(REGISTRATION, { response, name: 'x' })).status).toBe(403);
    // A question for a sign-in is not one for a registration.
    await ada.pages.post(`${PASSKEYS}/options`);
    expect((await ada.pages.post(REGISTRATION, { response, name: 'x' })).status).toBe(403);
    expect(await listOf(ada.id)).toEqual([]);
    expect((await new ConsolePages(server).post(`${REGISTRATION}/options`)).status).toBe(401);
  });

  it('a registration needs a sign-in that is not long ago, however the user signed in', async () => {
    const { id, token, pages, key } = await newUser('lin-late');
    wait(3601);
    const refused = await pages.post(`${REGISTRATION}/options`);
    const body = { errors: [expect.stringContaining('Sign in again')], code: 'sign-in-page' };
    expect([refused.status, refused.body]).toMatchObject([403, body]);
    expect(pages.cookie('__Host-lockkeeper-passkey')).toBeUndefined();
    expect((await pages.post('', { token })).status).toBe(201);
    expect((await register(pages, key)).status).toBe(201);
    const browser = new ConsolePages(server);
    expect((await signIn(browser, key)).status).toBe(201);
    const other = new Authenticator(browser.origin);
    expect((await register(browser, other, 'key')).status).toBe(201);
    wait(3601);
    expect((await browser.post(`${REGISTRATION}/options`)).status).toBe(403);
    expect(await listOf(id)).toHaveLength(2);
  });

  it('behind a proxy that changes the host, an error names the setting', async () => {
    const { id, pages } = await newUser('ida');
    // The browser is at the default port; the proxy sends the host with the port of the server.
    const key = new Authenticator('https://localhost');
    const made = await register(pages, key);
    expect([made.status, made.body.errors]).toEqual([403, [expect.stringContaining('workspaces.address')]]);
    expect(await listOf(id)).toEqual([]);
    const known = new Authenticator(pages.origin);
    expect((await register(pages, known)).status).toBe(201);
    const answer = await signIn(new ConsolePages(server), known, { origin: 'https://localhost' });
    expect([answer.status, answer.body.errors]).toEqual([403, [expect.stringContaining('workspaces.address')]]);
  });

  it('one passkey belongs to one user, and a user has at most 20', async () => {
    const ada = await newUser('ada-4');
    const eve = await newUser('eve-4');
    expect((await register(ada.pages, ada.key)).status).toBe(201);
    const asked = await eve.pages.post(`${REGISTRATION}/options`);
    const response = eve.key.create(asked.body.options) as { id: string };
    expect((await eve.pages.post(REGISTRATION, { response, name: 'a' })).status).toBe(201);
    const again = await eve.pages.post(`${REGISTRATION}/options`);
    expect(again.body.options.excludeCredentials).toMatchObject([{ id: response.id }]);
    for (let at = 1; at < 20; at++) {
      expect((await register(eve.pages, new Authenticator(eve.pages.origin), `key ${at}`)).status).toBe(201);
    }
    expect((await eve.pages.post(`${REGISTRATION}/options`)).status).toBe(409);
  });

  it('garbage is refused with an error of the client', async () => {
    const { pages, key } = await newUser('zoe');
    const nested = Buffer.concat([Buffer.alloc(5000, 0x81), Buffer.from([0])]).toString('base64url');
    const client = (type: string, challenge: string) =>
      Buffer.from(JSON.stringify({ type, challenge, origin: pages.origin })).toString('base64url');
    const bodies = (type: string, challenge: string) => [
      {},
      { response: null },
      { response: 'x' },
      { response: [] },
      { response: { id: 1 } },
      { response: { id: '__proto__', rawId: '__proto__', type: 'public-key', response: { clientDataJSON: 'bnVsbA' } } },
      {
        response: {
          ...{ id: 'AA', rawId: 'AA', type: 'public-key' },
          response: {
            clientDataJSON: client(type, challenge),
            attestationObject: nested,
            authenticatorData: nested.slice(0, 4000),
          },
        },
      },
    ];
    for (const [path, type] of [
      [PASSKEYS, 'webauthn.get'],
      [REGISTRATION, 'webauthn.create'],
    ] as const) {
      for (let at = 0; at < bodies('', '').length; at++) {
        const asked = await pages.post(`${path}/options`);
        const body = bodies(type, asked.body.options.challenge)[at];
        const answer = await pages.post(path, { ...body, name: 'x' });
        expect([path, at, answer.status]).toEqual([path, at, 403]);
      }
    }
    await pages.post(`${REGISTRATION}/options`);
    expect((await pages.post(REGISTRATION, { response: {} })).status).toBe(400);
    const { challenge } = (await pages.post(`${REGISTRATION}/options`)).body.options;
    const response = key.create({ challenge, rp: { id: 'localhost' } });
    expect((await pages.post(REGISTRATION, { response, name: ' ' })).status).toBe(422);
    expect((await pages.post(PASSKEYS, { response: 'x'.repeat(20_000) })).status).toBe(413);
  });

  it('pages of other sites cannot start or end a ceremony', async () => {
    const { pages, key } = await newUser('iris');
    expect((await register(pages, key)).status).toBe(201);
    for (const path of [PASSKEYS, `${PASSKEYS}/options`, REGISTRATION, `${REGISTRATION}/options`]) {
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
        const answer = await pages.send('POST', `/app/~session${path}`, {}, headers);
        expect([path, answer.status]).toEqual([path, 403]);
      }
    }
    const unmarked = await server.call('POST', `/app/~session${PASSKEYS}`, {
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: {},
    });
    expect(unmarked.status).toBe(403);
  });

  it('a suspended user cannot sign in', async () => {
    const { id, pages, key } = await newUser('lin');
    expect((await register(pages, key)).status).toBe(201);
    await server.user('POST', `/api/v2/admin/users/${id}/actions/suspend`);
    const answer = await signIn(new ConsolePages(server), key);
    expect([answer.status, answer.body.errors[0]]).toEqual([403, expect.stringContaining('suspended')]);
    await server.user('POST', `/api/v2/admin/users/${id}/actions/unsuspend`);
    expect((await signIn(new ConsolePages(server), key)).status).toBe(201);
  });

  it('at an IP address, the server says where passkeys work', async () => {
    const host = new URL(server.address).host;
    const pages = new ConsolePages(server, host);
    const { offers } = (await pages.send('GET', '/app/~session')).body;
    const address = `https://localhost:${new URL(server.address).port}`;
    expect(offers.passkeys).toEqual({ works: false, address });
    const answer = await pages.post(`${PASSKEYS}/options`);
    expect([answer.status, answer.body.errors[0]]).toEqual([409, expect.stringContaining(`Open ${address}/app`)]);
    const there = (await new ConsolePages(server).send('GET', '/app/~session')).body.offers.passkeys;
    expect(there).toEqual({ works: true, address });
  });
});

describe('the address of passkeys', () => {
  it('is not the one of the request, if the configured one is an IP address', async () => {
    const server = await startTestServer('sqlite', {
      services: ['access', 'workspaces', 'console'],
      publicAddress: 'https://192.0.2.1:8200',
    });
    try {
      for (const host of ['192.0.2.1:8200', 'localhost:8200', 'localhost:8443']) {
        const pages = new ConsolePages(server, host);
        const { offers } = (await pages.send('GET', '/app/~session')).body;
        expect(offers.passkeys).toEqual({ works: false, address: null });
        const answer = await pages.post(`${PASSKEYS}/options`);
        expect([answer.status, answer.body.errors[0]]).toEqual([409, expect.stringContaining('workspaces.address')]);
      }
    } finally {
      await server.stop();
    }
  });

  it('is the configured one; a passkey of another host does not work', async () => {
    const server = await startTestServer('sqlite', {
      services: ['access', 'workspaces', 'console'],
      publicAddress: 'https://localhost:9999',
    });
    try {
      const elsewhere = await new ConsolePages(server).post(`${PASSKEYS}/options`);
      expect([elsewhere.status, elsewhere.body.errors[0]]).toEqual([
        409,
        expect.stringContaining('Open https://localhost:9999/app'),
      ]);
      const there = new ConsolePages(server, 'localhost:9999');
      const asked = await there.post(`${PASSKEYS}/options`);
      expect(asked.body.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    } finally {
      await server.stop();
    }
  });
});
