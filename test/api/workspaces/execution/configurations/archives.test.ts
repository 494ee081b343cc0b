import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Header, type HeaderData, Pax } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { archive } from '../../../../support/samples/archive.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

const WHOLE = archive({ 'main.tf': randomBytes(3000).toString('hex') });

/** An archive with entries that no tool would write. */
function odd(...entries: HeaderData[]): Buffer {
  const blocks = entries.map((data) => {
    const header = new Header({ mode: 0o644, size: 0, type: 'File', ...data });
    header.encode();
    return header.block ?? Buffer.alloc(0);
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** An archive with a file whose name is longer than a header has room for. */
function long(path: string): Buffer {
  const pax = new Pax({ path, size: 0 }).encode();
  return gzipSync(Buffer.concat([pax, gunzipSync(odd({ path: 'short' }))]));
}

const zip = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(400, 'zip')]);

describe.each(databaseKinds)('archives that no run could unpack, on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  });
  afterAll(() => api.close());

  const announced = async (attributes: object = {}) => {
    const workspace = await acme.workspace(`a-${++names}`);
    return { workspace, ...(await runs.configuration(workspace, attributes)) };
  };
  const show = async (id: string) => (await acme.owner.call('GET', `/configuration-versions/${id}`)).body.data;

  test.each<[string, Buffer, string]>([
    ['empty', Buffer.alloc(0), 'it is empty'],
    ['a ZIP archive', zip, 'it is a ZIP archive. Upload a tar.gz archive'],
    ['a plain tar', gunzipSync(WHOLE), 'it is an uncompressed tar archive'],
    ['compressed with bzip2', Buffer.from('BZh91AY&SY'), 'it is compressed with bzip2'],
    ['a configuration file', Buffer.from('resource "null_resource" "a" {}\n'), 'it is not a tar.gz archive'],
    ['cut off', WHOLE.subarray(0, 1000), 'it is not a complete tar.gz archive (unexpected end of file)'],
    ['cut off in the tar', gzipSync(gunzipSync(WHOLE).subarray(0, 2000)), 'it is not a complete tar.gz archive'],
    ['damaged', Buffer.from(WHOLE).fill(0x55, 900, 1200), 'it is not a complete tar.gz archive'],
    ['no tar', gzipSync(Buffer.alloc(5000, 'x')), 'it is not a complete tar.gz archive'],
    ['a file alone', gzipSync('resource "null_resource" "a" {}\n'), 'it is not a complete tar.gz archive'],
    ['with an absolute name', odd({ path: '/etc/x' }), '"/etc/x" is an absolute name'],
    ['with a name that leads out', odd({ path: '../x' }), '"../x" is outside of it'],
    [
      'with a link that leads out',
      odd({ path: 'l', type: 'SymbolicLink', linkpath: '../x' }),
      'the link "l" points outside',
    ],
    ['with a device', odd({ path: 'd', type: 'CharacterDevice' }), '"d" is neither a file'],
    ['compressed twice', gzipSync(WHOLE), 'it is compressed twice. Upload a tar.gz archive'],
    ['of nothing at all', gzipSync(''), 'it is empty'],
    [
      'with a link to nothing',
      odd({ path: 'h', type: 'Link', linkpath: 'x' }),
      '"h" is a link to "x", which is not an earlier file of the archive',
    ],
    [
      'with a link to itself',
      odd({ path: 'h' }, { path: 'h', type: 'Link', linkpath: 'h' }),
      '"h" is a link to "h", which is not an earlier file',
    ],
    [
      'with a link to a folder',
      odd({ path: 'd', type: 'Directory' }, { path: 'h', type: 'Link', linkpath: 'd' }),
      '"h" is a link to "d", which is not an earlier file',
    ],
    ['with a file in a file', odd({ path: 'a' }, { path: 'a/b' }), '"a/b" is in "a", which is a file'],
    ['with a file instead of a folder', odd({ path: 'a/b' }, { path: 'a' }), '"a" is both a file and a folder'],
    [
      'with a folder instead of a file',
      odd({ path: 'a' }, { path: 'a', type: 'Directory' }),
      '"a" is both a file and a folder',
    ],
    [
      'with a link instead of a folder',
      odd({ path: 'a/b' }, { path: 'a', type: 'SymbolicLink', linkpath: 'c' }),
      '"a" is both a link and a folder',
    ],
    [
      'with a name that no folder takes',
      long('n'.repeat(256)),
      `"${'n'.repeat(100)}…" has a part of more than 255 bytes`,
    ],
    ['with deep folders', long(`${'d/'.repeat(256)}f`), `"${'d/'.repeat(50)}…" is more than 256 levels deep`],
    ['with a header without end', long('n/'.repeat(150_000)), '"PaxHeader/n" cannot be read'],
    ['larger than it may be', odd({ path: 'x', size: 8_000_000_000 }), 'it unpacks to more than 2147483648 bytes'],
  ])('%s: refused with the reason, and the configuration version is errored', async (_, bytes, reason) => {
    const { workspace, id, url } = await announced({ 'auto-queue-runs': true });
    const answer = await runs.put(url, bytes);
    expect(answer.statusCode, answer.body).toBe(422);
    const [error] = answer.json().errors;
    expect(error.detail).toContain(`The configuration cannot be unpacked: ${reason}`);
    const { attributes } = await show(id);
    expect(attributes).toMatchObject({ status: 'errored', error: 'invalid_archive', 'error-message': error.detail });
    expect(Object.keys(attributes['status-timestamps'])).toEqual(['errored-at']);
    expect((await acme.owner.call('GET', `/configuration-versions/${id}/download`)).status).toBe(404);
    expect((await acme.owner.call('GET', `/workspaces/${workspace}/runs`)).body.data).toEqual([]);
    expect((await runs.create(workspace, {}, id)).status).toBe(422);
    expect((await runs.put(url, WHOLE)).statusCode).toBe(409);
  });

  test('one that would replace a good one is refused, and the good one stays', async () => {
    const { id, url } = await announced();
    expect((await runs.put(url, WHOLE)).statusCode).toBe(200);
    expect((await runs.put(url, zip)).statusCode).toBe(422);
    expect((await show(id)).attributes).toMatchObject({ status: 'uploaded', error: null, size: WHOLE.length });
    expect((await acme.owner.call('GET', `/configuration-versions/${id}/download`)).text).toBe(WHOLE.toString());
  });

  test('one without files, and one with bytes behind its end, are taken as runs take them', async () => {
    for (const bytes of [archive({}), Buffer.concat([WHOLE, Buffer.alloc(700_000)])]) {
      const { id, url } = await announced();
      const answer = await runs.put(url, bytes);
      expect(answer.statusCode, answer.body).toBe(200);
      expect((await show(id)).attributes).toMatchObject({ status: 'uploaded', size: bytes.length });
    }
  });

  test('many files, and much data behind the end, are read in small pieces: other requests are served meanwhile', async () => {
    const header = gunzipSync(odd({ path: 'folder/file.tf' })).subarray(0, 512);
    const many = gzipSync(Buffer.alloc(10_000 * 512, header), { level: 1 });
    const zeros = gzipSync(Buffer.concat([gunzipSync(WHOLE), Buffer.alloc(20_000_000)]), { level: 1 });
    for (const bytes of [many, zeros]) {
      const { url } = await announced();
      let served = 0;
      let isOver = false;
      const upload = runs.put(url, bytes).finally(() => {
        isOver = true;
      });
      for (; !isOver; served++) {
        await acme.owner.call('GET', '/ping');
        await setImmediate();
      }
      expect((await upload).statusCode).toBe(200);
      expect(served).toBeGreaterThan(3);
    }
  });

  test('more files than a run unpacks are refused as soon as they are counted', async () => {
    const header = gunzipSync(odd({ path: 'folder/file.tf' })).subarray(0, 512);
    const { id, url } = await announced();
    const answer = await runs.put(url, gzipSync(Buffer.alloc(100_001 * 512, header), { level: 1 }));
    expect(answer.statusCode).toBe(422);
    expect((await show(id)).attributes['error-message']).toContain('it has more than 100000 files and folders');
  });

  test('headers are read in small pieces, up to a maximum number', async () => {
    const header = new Pax({ comment: 'c'.repeat(200_000) }).encode();
    const { id, url } = await announced();
    const answer = await runs.put(url, gzipSync(Buffer.alloc(400 * header.length, header), { level: 1 }));
    expect(answer.statusCode).toBe(422);
    expect((await show(id)).attributes['error-message']).toContain('its headers are too long in total');
  });

  test('folders that an archive does not name are counted too', async () => {
    const deep = Array.from({ length: 1000 }, (_, n) => ({ path: `${n}/${'d/'.repeat(110)}f` }));
    const { id, url } = await announced();
    expect((await runs.put(url, odd(...deep))).statusCode).toBe(422);
    expect((await show(id)).attributes['error-message']).toContain('it has more than 100000 files and folders');
  });
});
