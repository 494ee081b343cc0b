import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  ask2,
  dial,
  dialHttp2,
  echoService,
  type Listening,
  listening,
  message,
  type Reply,
} from '../../../test/support/listening.ts';
import { AppError } from '../../lib/errors.ts';
import type { Service } from '../../lib/service.ts';
import { MAX_PATH_LENGTH, readTarget } from './target.ts';

/** Responds with the parsed target of the request. */
function readingService(prefix: string, decodesSlashes: boolean): Service {
  return {
    name: prefix.slice(1).replace('/', ' '),
    prefix,
    errors: { contentType: 'application/json', statuses: {}, body: (_status, error) => ({ [prefix]: error?.message }) },
    ...(decodesSlashes && { decodesSlashes }),
    notFound: () => new AppError('not-found', 'nothing here'),
    routes(app) {
      const handler = async ({ params, target, url, query, host }: Parameters<Service['notFound']>[0]) => {
        return { service: prefix, params, target, url, query, host };
      };
      app.get('/one/:name', handler);
      app.get('/any/*', handler);
    },
  };
}

const services = [
  readingService('/texts', true),
  readingService('/two/words', false),
  { ...readingService('/tolerant', false), ignoresLastSlash: true },
  echoService(),
];
type Ask = (path: string, headers?: Record<string, string>) => Promise<Reply>;

async function http1(server: Listening): Promise<Ask> {
  const wire = await dial(server);
  onTestFinished(() => void wire.socket.destroy());
  return (path, headers) => wire.ask(message('GET', path, headers));
}

async function http2(server: Listening): Promise<Ask> {
  const session = await dialHttp2(server);
  onTestFinished(() => session.destroy());
  return (path, headers) => ask2(session, { ':path': path, ...headers });
}

let server: Listening;
beforeAll(async () => {
  server = await listening({ services });
});
afterAll(() => server.server.close(0));

/** Returns the service that the log and the metrics contain for the response. */
async function recordedService({ headers }: Reply): Promise<unknown> {
  const line = () => server.requests().find((one) => one.request_id === headers['x-request-id']);
  await expect.poll(line).toBeDefined();
  return line()?.service;
}

describe.each([
  ['1.1', http1],
  ['2', http2],
])('over HTTP/%s', (_, dialer) => {
  test.each([
    ['/two/words/one/web', 'web', '/two/words/one/web'],
    ['/%74wo/w%6Frds/one/web', 'web', '/two/words/one/web'],
    ['/two/words/on%65/a%2fb?q=%2f', 'a/b', '/two/words/one/a%2Fb'],
    ['/two/words/one/%C3%A5%20%5B', 'å [', '/two/words/one/%C3%A5%20%5B'],
    ['/two/words/one/%E2%82%AC%3f%23%25', '€?#%', '/two/words/one/%E2%82%AC%3F%23%25'],
    ['/two/words/one/CORP%5calice', 'CORP\\alice', '/two/words/one/CORP%5Calice'],
    ["/two/words/one/a;b=c,d:@!$&'()*+~", "a;b=c,d:@!$&'()*+~", "/two/words/one/a;b=c,d:@!$&'()*+~"],
    ['/%74exts/one/web', 'web', '/texts/one/web'],
    ['/texts/one%2fweb', 'web', '/texts/one/web'],
    ['/tolerant/one/web/', 'web', '/tolerant/one/web'],
    ['/tolerant/one/w%65b/?q=1/', 'web', '/tolerant/one/web'],
    ['/tolerant/one/web%2f', 'web/', '/tolerant/one/web%2F'],
    ['/texts%2fone/web', undefined, undefined],
    ['/two%2fwords/one/web', undefined, undefined],
    ['/echoes/said/x', undefined, undefined],
  ])('%s has one reading', async (sent, name, path) => {
    const ask = await dialer(server);
    const reply = await ask(sent);
    if (name === undefined) {
      expect([reply.status, reply.body]).toEqual([404, { errors: ['no such path'] }]);
      expect(await recordedService(reply)).toBe('none');
      return;
    }
    expect(reply.body).toMatchObject({ params: { name }, target: { path } });
    const query = sent.split('?')[1];
    expect(reply.body.url).toBe(query === undefined ? path : `${path}?${query}`);
    expect(`/${await recordedService(reply)}`.replace(' ', '/')).toBe(reply.body.service);
  });

  test.each([
    ['/texts/any/web/', { '*': 'web/' }],
    ['/two/words/any/web/', { '*': 'web/' }],
  ])('%s keeps its slash', async (sent, params) => {
    const ask = await dialer(server);
    expect((await ask(sent)).body).toMatchObject({ params, target: { path: sent } });
  });

  test.each([['/tolerant/one/web//'], ['/tolerant/one/w%65b//'], ['/tolerant//'], ['/tolerant/one//']])(
    '%s is no path',
    async (sent) => {
      const ask = await dialer(server);
      const reply = await ask(sent);
      expect([reply.status, reply.body]).toEqual([400, { '/tolerant': 'a path cannot have an empty part' }]);
    },
  );

  test.each([
    ['/texts/one/..'],
    ['/texts/any/%2e%2E/x'],
    ['/texts/any/..%2fx'],
    ['/texts/any/..%5Cx'],
    ['/texts/any/a%5c..'],
    ['/texts/any/./x'],
    ['/texts/any//x'],
    ['/texts/any/x//'],
    ['/texts/any/a%2f%2fb'],
    ['/texts/any/%2f'],
    ['/texts/any/a%252fb'],
    ['/texts/any/%252e%252e/x'],
    ['/texts/one/a%00b'],
    ['/texts/one/a%0d%0ab'],
    ['/texts/one/a%7fb'],
    ['/texts/one/a%C2%85b'],
    ['/texts/one/a\\b'],
    ['/texts/one/a#b'],
    ['/texts/one/a?x#b'],
    ['/texts/one/%'],
    ['/texts/one/%u0061'],
    ['/texts/one/%ff'],
    ['/texts/one/%C0%AF'],
    ['/texts/one/%ED%A0%80'],
    [`/texts/one/${'x'.repeat(MAX_PATH_LENGTH)}`],
  ])('%s has no one meaning, which is said in the shape of its API', async (sent) => {
    const ask = await dialer(server);
    const reply = await ask(sent);
    expect([reply.status, reply.body]).toEqual([400, { '/texts': expect.any(String) }]);
    expect(await recordedService(reply)).toBe('texts');
  });
});

test('bytes beyond ASCII in a path are no path', async () => {
  const wire = await dial(server);
  onTestFinished(() => void wire.socket.destroy());
  expect((await wire.ask(Buffer.from(message('GET', '/texts/one/å'), 'utf8'))).status).toBe(400);
  const ask = await http2(server);
  expect((await ask('/texts/one/\u00e5')).body).toEqual({ '/texts': 'the path is not a valid URL path' });
});

describe('RFC 9112 §3.2: an absolute target', () => {
  test.each([
    ['http://other.example:8200/texts/one/web?q=1', 'other.example:8200'],
    ['HTTPS://other.example/two/words/one/web?q=1', 'other.example'],
    ['https://[::1]:443/%74wo/words/one/w%65b?q=1', '[::1]:443'],
  ])('%s is its path, and its host goes before the Host header', async (sent, host) => {
    const ask = await http1(server);
    const reply = await ask(sent);
    expect(reply.body).toMatchObject({ params: { name: 'web' }, query: { q: '1' }, host });
    expect(reply.body.url).toBe(`${reply.body.service}/one/web?q=1`);
    expect(`/${await recordedService(reply)}`.replace(' ', '/')).toBe(reply.body.service);
  });

  test.each([
    ['https://other.example', 404],
    ['https://other.example?x=1', 404],
    ['https:///texts/one/web', 400],
    ['https://user@other.example/texts/one/web', 400],
    ['https://a b/texts/one/web', 400],
    ['https://other.example/texts/one/%ff', 400],
    ['https://other.example/texts/one/../web', 400],
    ['https://other.example#/texts/one/web', 400],
    ['ftp://other.example/texts/one/web', 400],
    ['//texts/one/web', 400],
    ['*', 400],
  ])('%s is answered %i', async (sent, status) => {
    const ask = await http1(server);
    expect((await ask(sent)).status).toBe(status);
  });

  test('is no path over HTTP/2', async () => {
    const ask = await http2(server);
    const sent = { ':scheme': 'other' };
    expect(await ask('https://other.example/texts/one/web', sent).catch(() => ({ status: 400 }))).toMatchObject({
      status: 400,
    });
  });
});

describe('RFC 9112 §3.2: the Host header', () => {
  const withHosts = (...hosts: string[]) =>
    `GET /texts/one/web HTTP/1.1\r\n${hosts.map((host) => `${host}\r\n`).join('')}\r\n`;

  test.each([
    [['Host: a.example', 'Host: b.example']],
    [['Host: a.example', 'hOST: a.example']],
    [['Host: a b']],
    [['Host: user@a.example']],
    [['Host: a.example/x']],
    [['Host: a.example:port']],
    [['Host: å']],
    [[]],
  ])('%j is refused', async (hosts) => {
    const wire = await dial(server);
    onTestFinished(() => void wire.socket.destroy());
    const reply = await wire.ask(withHosts(...hosts));
    expect([reply.status, reply.body]).toEqual([400, { '/texts': expect.stringContaining('Host header') }]);
  });

  test.each(['Host: a.example:8200', 'Host: a_b', 'Host: [::1]:1', 'Host: 127.0.0.1', 'Host:'])(
    '%s is taken',
    async (host) => {
      const wire = await dial(server);
      onTestFinished(() => void wire.socket.destroy());
      expect((await wire.ask(withHosts(host))).body.host).toBe(host.slice(5).trim());
    },
  );

  test('is the same as the authority of HTTP/2, or refused', async () => {
    const ask = await http2(server);
    const own = { ':authority': 'a.example' };
    expect((await ask('/texts/one/web', { ...own, host: 'A.example' })).body.host).toBe('a.example');
    expect((await ask('/texts/one/web', { ...own, host: 'a.example:443' })).status).toBe(200);
    expect(await ask('/texts/one/web', { ...own, host: 'b.example' })).toMatchObject({ status: 400 });
  });
});

/** Returns one spelling of a text: any character may be percent-encoded, in upper or lower case, or twice. */
const spelling = (text: string) =>
  fc
    .array(fc.integer({ min: 0, max: 5 }), { minLength: text.length, maxLength: text.length })
    .map((ways) => [...text].map((character, index) => written(character, ways[index] ?? 0)).join(''));

function written(character: string, way: number): string {
  const encoded = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  if (way === 3) return encoded;
  if (way === 4) return encoded.toUpperCase();
  return way === 5 && character === '/' ? '%252f' : character;
}

const path = fc
  .array(fc.constantFrom('texts', 'two', 'words', 'one', 'any', 'echo', 'said', 'web', '..', 'a b', 'å', ''), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join('/'));

function reading(url: string) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { url, httpVersion: '1.1', httpVersionMajor: 1, headers: { host: 'x' } });
  return { ...readTarget(request, services), url: request.url };
}

test('a path that is cut in the middle of a character is too long, and nothing else', () => {
  const sent = `/${'\u{1f600}'.repeat(MAX_PATH_LENGTH)}`;
  expect(reading(sent).fault?.message).toBe('the path is too long');
});

describe('whatever the spelling', () => {
  test('router, service and record read the same', async () => {
    const [overOne, overTwo] = [await http1(server), await http2(server)];
    const prefixes = ['', 'http://localhost', 'https://other.example:1'];
    await fc.assert(
      fc.asyncProperty(
        path.chain(spelling),
        fc.constantFrom(...prefixes),
        fc.boolean(),
        async (sent, prefix, isTwo) => {
          const ask = isTwo ? overTwo : overOne;
          const reply = await ask(`${isTwo ? '' : prefix}/${sent}`.replaceAll(' ', '%20').replaceAll('å', '%c3%a5'));
          const service = await recordedService(reply);
          if (reply.status === 200 && 'service' in reply.body) {
            const { service: served, target, params } = reply.body;
            expect(service).toBe(served.slice(1).replace('/', ' '));
            expect(`${target.path}/`.startsWith(`${served}/`)).toBe(true);
            expect(target.parts.join('/').endsWith(params.name ?? params['*'])).toBe(true);
          } else if (service === 'none') expect(reply.body).toEqual({ errors: [expect.any(String)] });
          else if (service === 'texts') expect(reply.body).toEqual({ '/texts': expect.any(String) });
          else if (service === 'two words') expect(reply.body).toEqual({ '/two/words': expect.any(String) });
          else expect(service).toBe('echo');
        },
      ),
      { numRuns: 150 },
    );
  });

  test('what was read once reads the same again', () => {
    const text = fc.oneof(path.chain(spelling), fc.webPath(), fc.string(), fc.string({ unit: 'binary-ascii' }));
    fc.assert(
      fc.property(text, (sent) => {
        const first = reading(sent.startsWith('/') ? sent : `/${sent}`);
        if (first.fault) return;
        const again = reading(first.url ?? '');
        expect(again).toEqual(first);
        expect(first.target.parts.map((part) => decodeURIComponent(encodeURIComponent(part)))).toEqual(
          first.target.path.slice(1).split('/').map(decodeURIComponent),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
