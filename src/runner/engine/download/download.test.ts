import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  engineScript,
  type Published,
  type ReleaseServer,
  startReleases,
} from '../../../../test/support/runner/releases.ts';
import { executeTrial } from '../../../../test/support/runner/run.ts';
import { stranger } from '../../../../test/support/runner/signer.ts';
import { zipOf } from '../../../../test/support/runner/zip.ts';
import { lockFile } from '../../../lib/locks/file-lock.ts';
import type { EngineKind } from '../../job.ts';
import { type EnginePlaces, findEngine } from '../engine.ts';
import { fetchedInto } from './fetched.ts';

const never = new AbortController().signal;
const TOFU = engineScript('opentofu', '1.0.0');
let releases: ReleaseServer;
let patches = 0;

beforeAll(async () => {
  releases = await startReleases();
});
afterAll(() => releases.close());

function places(more: Partial<EnginePlaces> = {}): EnginePlaces & { folder: string } {
  const { base, key } = releases;
  const downloads = { mirrors: { opentofu: `${base}/`, terraform: base }, keys: { opentofu: key, terraform: key } };
  return { path: '', downloads, ...more, folder: mkdtempSync(join(tmpdir(), 'engines-')) };
}

/** A version that does not exist yet. */
const newVersion = (): string => `1.12.${++patches}`;

function published(otherwise: Published = {}, kind: EngineKind = 'opentofu'): string {
  const version = newVersion();
  releases.publish(kind, version, otherwise);
  return version;
}

const find = (version: string | null, at: EnginePlaces, signal = never) =>
  findEngine({ kind: 'opentofu', version }, at, signal);

/** Files in the folder, without the locks. */
const leftIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^\.incoming(\/[^/]*\.lock)?$/.test(name),
  );

describe('an engine that is not installed', () => {
  test.each(['opentofu', 'terraform'] as const)('is downloaded: %s', async (kind) => {
    const version = published({}, kind);
    const at = places();
    const engine = await findEngine({ kind, version }, at, never);
    const name = kind === 'opentofu' ? 'tofu' : 'terraform';
    expect(engine).toEqual({ kind, version, program: join(at.folder, kind, version, name) });
    expect(readFileSync(engine.program, 'utf8')).toBe(engineScript(kind, version));
    expect(statSync(engine.program).mode & 0o777).toBe(0o755);
    // Nothing else from the archive, and no incomplete download.
    expect(leftIn(at.folder).toSorted()).toEqual([kind, `${kind}/${version}`, `${kind}/${version}/${name}`].toSorted());
    const asked = releases.asked.length;
    expect(await findEngine({ kind, version }, at, never)).toEqual(engine);
    expect(releases.asked).toHaveLength(asked);
  });

  test('is the newest version that the job names, if it asks for none', async () => {
    const newest = published();
    const at = places();
    const asked = { kind: 'opentofu', version: null, newest } as const;
    expect((await findEngine(asked, at, never)).version).toBe(newest);
    expect((await findEngine({ ...asked, newest: newVersion() }, at, never)).version).toBe(newest);
  });

  test('is downloaded once for several processes', async () => {
    const version = published();
    const at = places();
    const key = join(at.folder, 'key.asc');
    writeFileSync(key, releases.key);
    const args = [
      join(import.meta.dirname, '../../../../test/support/runner/download.ts'),
      at.folder,
      releases.base,
      key,
    ];
    const others = [1, 2].map(() => promisify(execFile)(process.execPath, [...args, version]));
    const here = await Promise.all([1, 2, 3].map(() => find(version, at)));
    const programs = [
      ...here.map(({ program }) => program),
      ...(await Promise.all(others)).map(({ stdout }) => stdout),
    ];
    expect(new Set(programs)).toEqual(new Set([join(at.folder, 'opentofu', version, 'tofu')]));
    expect(releases.asked.filter((path) => path.includes(`${version}_${process.platform}`))).toHaveLength(1);
  });

  test('is downloaded from another host, to which the vendor redirects', async () => {
    const version = published();
    const { base } = releases;
    const vendor = createServer(({ url }, response) => response.writeHead(302, { location: `${base}${url}` }).end());
    await once(vendor.listen(0, '127.0.0.1'), 'listening');
    const { port } = vendor.address() as AddressInfo;
    const at = places();
    const downloads = { ...at.downloads, mirrors: { opentofu: `http://127.0.0.1:${port}` } };
    expect((await find(version, { ...at, downloads })).version).toBe(version);
    vendor.close();
  });

  test('is downloaded through the proxy of the environment', async () => {
    const version = published();
    const through: (string | undefined)[] = [];
    const proxy = createServer(({ url = '' }, response) => {
      through.push(url);
      get(url, (answer) => response.writeHead(answer.statusCode ?? 0) && answer.pipe(response));
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    const at = places();
    const key = join(at.folder, 'key.asc');
    writeFileSync(key, releases.key);
    const script = join(import.meta.dirname, '../../../../test/support/runner/download.ts');
    const env = { PATH: process.env.PATH, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${port}` };
    await promisify(execFile)(process.execPath, [script, at.folder, releases.base, key, version], { env });
    expect(through).toHaveLength(3);
    expect(through.every((url) => url?.startsWith(releases.base))).toBe(true);
    proxy.close();
  });

  test('is downloaded after another process was killed during the download', async () => {
    const version = published();
    const at = places();
    const left = join(at.folder, '.incoming', `opentofu-${version}`, 'content');
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'tofu'), 'half');
    expect(readFileSync((await find(version, at)).program, 'utf8')).toBe(engineScript('opentofu', version));
  });

  test('is waited for until the job is stopped', async () => {
    const version = published();
    const at = places();
    const lock = lockFile(join(at.folder, '.incoming', `opentofu-${version}.lock`));
    const stop = new AbortController();
    const finding = find(version, at, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(finding).rejects.toThrow('stopped');
    lock.release();
    expect((await find(version, at)).version).toBe(version);
  });
});

describe('a release is refused', () => {
  test.each<[string, () => Published, string]>([
    ['with a signature of somebody else', () => ({ signer: stranger() }), 'no trusted key has signed it'],
    ['without a signature', () => ({ signature: Buffer.alloc(0) }), 'no trusted key has signed it'],
    ['with an invalid signature', () => ({ signature: Buffer.from('<html>') }), 'is invalid: not OpenPGP data'],
    [
      'without an archive for this platform',
      () => ({ sums: `${'0'.repeat(64)}  other.zip\n` }),
      'is not in the checksum file',
    ],
    ['without a zip archive', () => ({ zip: Buffer.from('hello') }), 'cannot be unpacked: '],
    ['without the program', () => ({ zip: zipOf([{ name: 'bin/tofu', content: TOFU }]) }), 'the archive has no tofu'],
    [
      'with the program twice',
      () => ({ zip: zipOf([1, 2].map(() => ({ name: 'tofu', content: TOFU }))) }),
      'has tofu twice',
    ],
    [
      'with a link as the program',
      () => ({ zip: zipOf([{ name: 'tofu', content: '/bin/sh', mode: 0o120777 }]) }),
      'is not a regular file',
    ],
    [
      'with a program that is larger than declared',
      () => ({ zip: zipOf([{ name: 'tofu', content: TOFU, size: 3 }]) }),
      'cannot be unpacked: ',
    ],
    ['with a zip bomb', () => ({ zip: zipOf([{ name: 'tofu', content: TOFU, size: 0x7fffffff }]) }), 'is larger than'],
    [
      'with too many files',
      () => ({ zip: zipOf(Array.from({ length: 1001 }, (_, n) => ({ name: `f${n}`, content: '' }))) }),
      'more than 1000 files',
    ],
    ...['../tofu', '/etc/tofu', 'a/../../tofu', 'C:/tofu', '..\\tofu'].map(
      (name): [string, () => Published, string] => [
        `with a file ${name}`,
        () => ({
          zip: zipOf([
            { name: 'tofu', content: TOFU },
            { name, content: TOFU },
          ]),
        }),
        'cannot be unpacked: ',
      ],
    ),
  ])('%s', async (_, otherwise, reason) => {
    const version = published(otherwise());
    await refused(version, reason);
  });

  test('with another checksum', async () => {
    const version = published();
    releases.answer(new RegExp(`${version}_.*zip$`), (_, response) => response.end('another'));
    await refused(version, 'expected');
  });

  test('that does not exist', async () => {
    const version = newVersion();
    await refused(version, `${releases.base}/v${version}/tofu_${version}_SHA256SUMS answered with status 404`);
  });

  test('with an interrupted download', async () => {
    const version = published();
    releases.answer(new RegExp(`${version}_.*zip$`), (_, response) => {
      response.setHeader('content-length', 1000);
      response.write('half', () => response.destroy());
    });
    await refused(version, 'was interrupted');
  });

  test('with endless checksums', async () => {
    const version = newVersion();
    releases.answer(new RegExp(`${version}_SHA256SUMS$`), (_, response) => {
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
      more();
    });
    await refused(version, 'is larger than 1048576 bytes');
  });

  test('after a timeout', async () => {
    const version = newVersion();
    releases.answer(new RegExp(`${version}_SHA256SUMS$`), () => {});
    const slow = { mirrors: { opentofu: releases.base }, longest: 50 };
    await expect(find(version, places({ downloads: slow }))).rejects.toThrow('timeout');
    releases.answer(new RegExp(`${version}_SHA256SUMS$`), (_, response) => void response.write('x'));
    await expect(find(version, places({ downloads: slow }))).rejects.toThrow('timeout');
  });

  test('while another process downloads it for too long', async () => {
    const version = published();
    const at = places({ downloads: { longest: 50 } });
    const lock = lockFile(join(at.folder, '.incoming', `opentofu-${version}.lock`));
    await expect(find(version, at)).rejects.toThrow('timed out while another job downloads it');
    lock.release();
  });

  test('with an endless archive', async () => {
    releases.answer(/endless\.zip$/, (_, response) => {
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
      more();
    });
    const into = join(places().folder, 'release.zip');
    const fetching = fetchedInto(into, `${releases.base}/endless.zip`, 200_000, never);
    await expect(fetching).rejects.toThrow('endless.zip is larger than 200000 bytes');
    expect(statSync(into).size).toBeLessThanOrEqual(200_000);
  });

  test('whose server is unavailable', async () => {
    const at = places({ downloads: { mirrors: { opentofu: 'http://127.0.0.1:1' } } });
    await expect(find('1.12.1', at)).rejects.toThrow(/127\.0\.0\.1:1\/v1\.12\.1\/\S+: \S/);
  });

  test('that the vendor has not signed, without configured keys', async () => {
    const at = places({ downloads: { mirrors: { opentofu: releases.base } } });
    await expect(find(published(), at)).rejects.toThrow('no trusted key has signed it');
  });

  test('if another file is at its path', async () => {
    const version = published();
    const at = places();
    mkdirSync(join(at.folder, 'opentofu', version, 'other'), { recursive: true });
    await expect(find(version, at)).rejects.toThrow(`${join(at.folder, 'opentofu', version)} is in the way: remove it`);
  });

  test.skipIf(process.getuid?.() === 0)('if the folder is not writable', async () => {
    const at = places();
    chmodSync(at.folder, 0o500);
    await expect(find(published(), at)).rejects.toThrow(/cannot be locked|EACCES/);
  });

  async function refused(version: string, reason: string): Promise<void> {
    const at = places();
    const error = await find(version, at).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'JobFailure' });
    expect(error.message).toContain(`This agent does not have OpenTofu ${version}, and the download failed: `);
    expect(error.message).toContain(reason);
    expect(error.message).not.toContain('\n');
    expect(leftIn(at.folder).filter((name) => name !== 'opentofu')).toEqual([]);
    expect(existsSync(join(at.folder, '..', 'tofu'))).toBe(false);
  }
});

test('a job runs with the downloaded engine', async () => {
  const script = `#!/bin/sh\necho "$1 by the one that was downloaded"\n`;
  const version = published({ zip: zipOf([{ name: 'tofu', content: script }]) });
  const job = { engine: { kind: 'opentofu', version: null, newest: version } } as const;
  const { end, log } = await executeTrial({ files: { 'main.tf': '' }, job, parts: { engines: places() } });
  expect(log.split('\n').slice(0, 5)).toEqual([
    ...[`OpenTofu v${version}`, expect.stringMatching(/^on /), 'Initializing plugins and modules...'],
    ...['init by the one that was downloaded', 'plan by the one that was downloaded'],
  ]);
  expect(end).toMatchObject({ kind: 'failed', reason: 'The engine reported success but left no plan file' });
});

test('stopping a job stops its download', async () => {
  const version = published();
  const asked = Promise.withResolvers<void>();
  releases.answer(new RegExp(`${version}_SHA256SUMS$`), () => asked.resolve());
  const stop = new AbortController();
  const at = places();
  const finding = find(version, at, stop.signal);
  await asked.promise;
  stop.abort(new Error('stopped'));
  await expect(finding).rejects.toThrow('stopped');
  expect(leftIn(at.folder)).toEqual([]);
});
