import { readFileSync } from 'node:fs';
import type { ClientHttp2Session } from 'node:http2';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspacesService } from '../../src/workspaces/index.ts';
import { ask2, dial, dialHttp2, message, type Wire } from '../support/listening.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { untilItsEnd } from './endless.ts';

/** Path parameters that authenticate their holder. */
const SECRET = [
  '/api/v2/configuration-uploads/:link',
  '/api/v2/run-logs/:link',
  '/v1/auth/token/lookup/:token',
  '/v1/auth/token/renew/:token',
];
/**
 * Names of parameters that are no secret. The test fails for any other name that is not declared as a secret. IDs are
 * no secrets here.
 */
const PLAIN =
  /^(\*|name|id|role|path|prefix|type|source|bytes|algorithm|[a-z_]+_id|[a-z_]+_name|(cert|jwt)_mount_path)$/;

/** Paths without an operation at which clients of other servers, or typing errors, put a token. */
const NOWHERE = [
  ...['/v1/auth/token/revoke', '/v1/auth/token/revoke-orphan', '/v1/auth/token/lookup-self', '/v1/auth/tokne/lookup'],
  ...['/v1/sys/wrapping/lookup', '/v1/sys/wrapping/unwrap', '/v1/auth/cert/crets', '/v1/nowhere', '/v1', '/api/v2'],
  ...[
    '/auth/token/lookup',
    '/vault/v1/auth/token/lookup',
    '/healthz',
    '/metrics',
    '/api/v3',
    '/.well-known',
    '/elsewhere',
  ],
];

type Spelling = (place: string, secret: string) => string;
const every = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
const afterPrefix = (place: string, change: (rest: string) => string) =>
  place.replace(/^(\/v1|\/api\/v2)?(.*)$/, (_, prefix = '', rest) => prefix + change(rest));

/** Spellings of one path, including invalid ones. */
const SPELLINGS: Readonly<Record<string, Spelling>> = {
  plain: (place, secret) => `${place}/${secret}`,
  'a slash at the end': (place, secret) => `${place}/${secret}/?x=1`,
  'the last slash': (place, secret) => `${place}%2f${secret}`,
  'all slashes': (place, secret) => `${afterPrefix(place, (rest) => rest.replace(/(?<!^)\//g, '%2F'))}%2F${secret}`,
  'dots of the secret': (place, secret) => `${place}/${secret.replaceAll('.', '%2e')}`,
  'the whole secret': (place, secret) => `${place}/${every(secret)}`,
  'a letter of each part': (place, secret) =>
    `${place.replaceAll(/\/([a-z])/g, (_, one) => `/${every(one)}`)}/${secret}`,
  'a slash, twice': (place, secret) => `${place}%252f${secret}`,
  'the secret, twice': (place, secret) => `${place}/${every(secret).replaceAll('%', '%25')}`,
  'something behind it': (place, secret) => `${place}/${secret}/more`,
  'something around it': (place, secret) => `${place}/token=${secret},x`,
  'a backslash': (place, secret) => `${place}%5c${secret}`,
  'a dot': (place, secret) => `${place}/./${secret}`,
  'two slashes': (place, secret) => `${place}//${secret}`,
  'no UTF-8': (place, secret) => `${place}/${secret}%ff`,
  'a control character': (place, secret) => `${place}/${secret}%00`,
  'too much': (place, secret) => `${place}/${secret}${'/x'.repeat(1_100)}`,
};

/** Decodes repeatedly, like a reader who looks for the secret, until nothing changes. */
function decoded(text: string): string {
  const once = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return once === text ? text : decoded(once);
}

// The recorded path does not depend on the database.
describe('a secret in a path', { timeout: 120_000 }, () => {
  let server: TestServer;
  let wire: Wire;
  let session: ClientHttp2Session;
  const asked = new Set<unknown>();
  let patterns: { readonly url: string; readonly secrets: readonly string[] }[];

  beforeAll(async () => {
    server = await startTestServer('sqlite');
    await server.root('POST', '/v1/sys/auth/jwt', { type: 'jwt' });
    const at = { port: Number(new URL(server.address).port), secure: true };
    wire = await dial(at, { ca: server.ca });
    session = await dialHttp2(at, { ca: server.ca });
    patterns = [...accessPatterns(), ...(await workspacePatterns())];
  });
  afterAll(async () => {
    wire.socket.destroy();
    session.destroy();
    await server.stop();
  });

  function accessPatterns() {
    return server.application.access.operationGroups.flatMap(({ prefix, operations }) =>
      operations.map(({ path, secrets = [] }) => ({
        url: `/v1/${prefix}/${path}`.replace(/\{(\w+)_mount_path\}/, '$1'),
        secrets,
      })),
    );
  }

  async function workspacePatterns() {
    const service = workspacesService(server.application.workspaces);
    const found: { url: string; secrets: readonly string[] }[] = [];
    const app = fastify();
    app.addHook('onRoute', ({ url, config }) => void found.push({ url, secrets: config?.secrets ?? [] }));
    await app.register(async (scope) => service.routes(scope), { prefix: service.prefix }).ready();
    return found;
  }

  /** Sends the path over HTTP/1.1, or over HTTP/2 in its form. */
  async function ask(method: string, target: string, token: string, over: Wire | ClientHttp2Session): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    const reply =
      'ask' in over
        ? await over.ask(message(method, target, headers))
        : await ask2(over, { ':method': method, ':path': target, ...headers });
    asked.add(reply.headers['x-request-id']);
    return reply.status;
  }

  /** Returns all records, after every request has been recorded. */
  async function records(): Promise<string> {
    const missing = () => {
      const logged = new Set(server.logLines().map(({ request_id: id }) => id));
      return [...asked].filter((id) => !logged.has(id));
    };
    await expect.poll(missing, { timeout: 10_000 }).toEqual([]);
    const metrics = await server.call('GET', '/metrics');
    return [
      readFileSync(join(server.folder, 'audit.log'), 'utf8'),
      JSON.stringify(server.logLines()),
      metrics.text,
    ].join('\n');
  }

  it('is declared, and every other parameter has a name that is no secret', () => {
    const declared = patterns.flatMap(({ url, secrets }) => (secrets.length > 0 ? [url] : []));
    expect([...new Set(declared)].toSorted()).toEqual(SECRET);
    for (const { url, secrets } of patterns) {
      for (const [, name = ''] of url.matchAll(/[:*](\w+)/g)) {
        expect([url, name, secrets.includes(name) || PLAIN.test(name)]).toEqual([url, name, true]);
      }
    }
  });

  it('never shows in the audit log, the log or the metrics, in any spelling', async () => {
    const own = 'my-own-id-4711';
    const made = await server.root('POST', '/v1/auth/token/create', { id: own });
    expect(made.status).toBe(200);
    const link = 'lkl.run-1.abc.2222222222222222222222222222222222222222222';
    const secrets = [own, server.rootToken, server.userToken, link];
    const places = [...SECRET.map((url) => url.slice(0, url.lastIndexOf('/'))), ...NOWHERE];
    const seen = new Set<number>();
    for (const [index, place] of places.entries()) {
      for (const [turn, spell] of Object.values(SPELLINGS).entries()) {
        // A secret that only its position gives away, and one with a recognizable prefix.
        for (const secret of [own, secrets[1 + ((index + turn) % 3)] ?? '']) {
          const path = spell(place, secret);
          const absolute = `https://localhost${path}`;
          seen.add(await ask('GET', path, server.rootToken, wire));
          seen.add(await ask('LIST', absolute, 'nobody', wire));
          seen.add(await ask('POST', absolute, server.rootToken, wire));
          seen.add(await ask('GET', path, server.rootToken, session));
        }
      }
    }
    expect([...seen].toSorted()).toEqual(expect.arrayContaining([200, 400, 403, 404, 405]));
    const text = decoded(await records());
    for (const secret of secrets) expect(text.indexOf(secret), `${secret}: ${around(text, secret)}`).toBe(-1);
  });

  it('that looks like a token is hashed in any parameter of any operation and route', async () => {
    for (const { url } of patterns) {
      const path = url.replaceAll(/[:*]\w+/g, server.userToken.replaceAll('.', '%2e'));
      await ask('GET', untilItsEnd(path), server.rootToken, wire);
    }
    const text = decoded(await records());
    expect(text.indexOf(server.userToken), around(text, server.userToken)).toBe(-1);
  });
});

function around(text: string, secret: string): string {
  const at = text.indexOf(secret);
  return at < 0 ? '' : text.slice(Math.max(0, at - 300), at + 200);
}
