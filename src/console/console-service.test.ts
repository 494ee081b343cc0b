import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { call } from '../../test/support/http.ts';
import { type Listening, listening, serverRoot } from '../../test/support/listening.ts';
import { AppError } from '../lib/errors.ts';
import { createKeyring } from '../storage/index.ts';
import { consoleService, homeService } from './console-service.ts';
import { type BuiltFiles, readBuiltFiles } from './files/built-files.ts';
import { Sessions } from './session/sessions.ts';

const CODE = 'export {};';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
  mkdirSync(join(folder, 'dist/~assets'), { recursive: true });
  mkdirSync(join(folder, 'dist/.vite'));
  writeFileSync(join(folder, 'dist/index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'dist/.vite/manifest.json'), '{}');
  writeFileSync(join(folder, 'dist/~assets/index-abc.js'), CODE);
  writeFileSync(join(folder, 'dist/~assets/index-abc.js.br'), brotliCompressSync(CODE));
  writeFileSync(join(folder, 'secret.html'), 'secret');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function serving(files: BuiltFiles | undefined, isHere = false) {
  const keyring = await createKeyring({ file: join(mkdtempSync(join(folder, 'keyring-')), 'keyring.json') });
  const sessions = new Sessions({ keyring, clock: Date.now, sides: {} });
  const refuse = async () => {
    throw new AppError('forbidden', 'no');
  };
  const certificates = {
    addressFor: () => undefined,
    isHere,
    logIn: refuse,
    wayBack: (_: unknown, to: string) => (to.startsWith('https://lock.example/app') ? to : undefined),
  };
  const server: Listening = await listening({
    services: [consoleService({ sessions, certificates, files }), homeService()],
  });
  onTestFinished(() => server.server.close(0));
  const at = { address: `https://127.0.0.1:${server.port}`, ca: serverRoot.pem };
  return (path: string, headers: Record<string, string> = {}, method = 'GET') => call(at, method, path, { headers });
}

describe('the files of the console', () => {
  test('a path of the console returns its page, which browsers revalidate', async () => {
    const get = await serving(readBuiltFiles([join(folder, 'dist')]));
    for (const path of ['/app', '/app/', '/app/acme/workspaces', '/app/a.b/workspaces/x.js', '/app/~access/roles']) {
      const { status, headers, text } = await get(path);
      expect([path, status, text]).toEqual([path, 200, '<!doctype html>']);
      expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
    }
    const { etag = '' } = (await get('/app')).headers;
    const again = await get('/app/elsewhere', { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('a file with a content hash in its name is cached forever, in an encoding that the client accepts', async () => {
    const get = await serving(readBuiltFiles([join(folder, 'dist')]));
    const path = '/app/~assets/index-abc.js';
    const plain = await get(path);
    expect(plain.text).toBe(CODE);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'accept-encoding',
    });
    const packed = await get(path, { 'accept-encoding': 'gzip, br' });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    expect(Number(packed.headers['content-length'])).toBe(brotliCompressSync(CODE).length);
    expect(brotliDecompressSync(brotliCompressSync(CODE)).toString()).toBe(CODE);
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(CODE.length)]);
  });

  test('returns no other file, whatever the path', async () => {
    const get = await serving(readBuiltFiles([join(folder, 'dist')]));
    for (const path of ['/app/~assets/none.js', '/app/~assets', '/app/~assets/index-abc.js.br', '/app/~session/none']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    for (const path of ['/app/~assets%2F..%2F..%2Fsecret.html', '/app/~assets/..%5C..%5Csecret.html']) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 400]);
      expect(text).not.toContain('secret.html');
    }
    expect((await get('/app/.vite/manifest.json')).text).toBe('<!doctype html>');
    expect((await get('/app/acme', {}, 'POST')).status).toBe(404);
  });

  test('without a build the page names the command that builds it', async () => {
    const get = await serving(readBuiltFiles([join(folder, 'nowhere')]));
    const { status, text } = await get('/app/acme');
    expect(status).toBe(503);
    expect(text).toContain('npm run build:console');
    expect((await get('/app/~session')).status).toBe(200);
  });
});

test('the root path redirects browsers to the console, and no other client', async () => {
  const get = await serving(undefined);
  const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  expect([browser.status, browser.headers.location]).toEqual([302, '/app']);
  for (const accept of ['*/*', 'application/json']) expect((await get('/', { accept })).status).toBe(404);
  expect((await get('/none', { accept: 'text/html' })).status).toBe(404);
});

test('a browser that returns with its certificate is redirected back, and nowhere else', async () => {
  const get = await serving(undefined, true);
  const come = (to: string, site: string) =>
    get(`/app/~session/certificate?to=${encodeURIComponent(to)}`, { 'sec-fetch-site': site });
  const refused = await come('https://lock.example/app/acme/workspaces?name=a', 'same-site');
  expect([refused.status, refused.headers.location]).toEqual([
    303,
    'https://lock.example/app/~sign-in?to=%2Facme%2Fworkspaces%3Fname%3Da&refused=certificate',
  ]);
  expect((await come('https://evil.example/app', 'same-site')).status).toBe(403);
  for (const site of ['cross-site', 'none']) expect((await come('https://lock.example/app', site)).status).toBe(403);
});
