import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { unpack } from '../../src/archive/index.ts';
import { CONFIGURATION_BOUNDS } from '../../src/lib/job/configuration-bounds.ts';
import type { TestRepository } from '../support/git-server.ts';
import { type Remotes, startRemotes } from './support/remotes.ts';

let remotes: Remotes;
beforeAll(async () => {
  remotes = await startRemotes();
});
afterAll(() => remotes.stop());

async function archiveOf(repository: TestRepository, id: string, submodules = false) {
  const { bytes, notes } = await remotes
    .open(repository)
    .archive(id, { submodules })
    .then(async (archive) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of archive.bytes) chunks.push(chunk);
      return { bytes: Buffer.concat(chunks), notes: archive.notes };
    });
  return { bytes, notes };
}

/** Unpacks an archive as a run does. Returns a description of each entry by its path. */
async function unpacked(bytes: Uint8Array): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await unpack(chunks(bytes), folder, CONFIGURATION_BOUNDS, new AbortController().signal);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.flatMap((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (stat.isSymbolicLink()) return [[name, `link to ${readlinkSync(path)}`]];
      if (stat.isDirectory()) return readdirSync(path).length > 0 ? [] : [[name, 'empty folder']];
      return [[name, `${(stat.mode & 0o777).toString(8)} ${readFileSync(path, 'utf8')}`]];
    }),
  );
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

describe('the archive of a commit', () => {
  it('has all files with their modes, and links that stay inside', async () => {
    const repository = await remotes.server.createRepository('files.git');
    const long = `${'deep/'.repeat(30)}${'n'.repeat(200)}.tf`;
    await repository.commit({
      ...{
        'main.tf': 'main',
        'modules/a/ü x.tf': 'module',
        'run.sh': 'run',
        'modules/a/up': { link: '../../main.tf' },
      },
      ...{
        [long]: 'long',
        '.terraformignore': '*',
        '.hidden/file': 'h',
        '.gitignore': 'x',
        large: 'l'.repeat(3_000_000),
      },
    });
    await repository.git('update-index', '--chmod=+x', 'run.sh');
    await repository.git('commit', '-q', '-m', 'mode');
    const { bytes, notes } = await archiveOf(repository, await repository.id());
    expect(notes).toEqual([]);
    expect(await unpacked(bytes)).toEqual({
      ...{ 'main.tf': '644 main', 'modules/a/ü x.tf': '644 module', 'run.sh': '755 run' },
      ...{ 'modules/a/up': 'link to ../../main.tf', [long]: '644 long', '.terraformignore': '644 *' },
      ...{ '.hidden/file': '644 h', '.gitignore': '644 x', large: `644 ${'l'.repeat(3_000_000)}` },
    });
  });

  it('always has the same bytes', async () => {
    const repository = await remotes.server.createRepository('same.git');
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}/x`, 'text '.repeat(at * 10)]));
    const one = await repository.commit(files, 'one');
    const { bytes } = await archiveOf(repository, one);
    // Packed differently, and in a repository with another history.
    await repository.git('repack', '-q', '-a', '-d', '-f', '--depth=20');
    expect((await archiveOf(repository, one)).bytes.equals(bytes)).toBe(true);
    const other = await remotes.server.createRepository('same-files.git');
    await other.commit({ old: 'x' });
    const again = await other.commit({ ...files, old: null });
    expect((await archiveOf(other, again)).bytes.equals(bytes)).toBe(true);
    expect(await repository.git('verify-pack', '-v', ...packsOf(repository))).toMatch(/chain length = \d/);
  });

  it('of an empty tree is empty', async () => {
    const repository = await remotes.server.createRepository('nothing.git');
    const { bytes } = await archiveOf(repository, await repository.commit());
    expect(await unpacked(bytes)).toEqual({});
  });

  it('ignores attributes that leave out or change files', async () => {
    const repository = await remotes.server.createRepository('attributes.git');
    const files = { '.gitattributes': 'secret export-ignore\nid export-subst\n', secret: 's', id: '$Format:%H$' };
    const { bytes } = await archiveOf(repository, await repository.commit(files));
    expect(await unpacked(bytes)).toMatchObject({ secret: '644 s', id: '644 $Format:%H$' });
  });

  it('notes pointers of Git LFS', async () => {
    const repository = await remotes.server.createRepository('lfs.git');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`;
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`big/${at}.bin`, pointer]));
    const { notes } = await archiveOf(repository, await repository.commit({ ...many, 'doc.md': `text\n${pointer}` }));
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/Git LFS.*"big\/0.bin".* and 5 more/);
    expect(notes[0]).not.toContain('doc.md');
  });

  const refused = (message: string) => ({ kind: 'unsupported', message: expect.stringContaining(message) });

  it.each([
    ['out', '../outside'],
    ['a/out', '../../outside'],
    ['absolute', '/etc/passwd'],
    ['hidden', 'x/../../outside'],
  ])('is refused for a link that leaves the repository: %s', async (path, link) => {
    const repository = await remotes.server.createRepository(`link-${path.replace('/', '-')}.git`);
    const id = await repository.commit({ [path]: { link } });
    await expect(archiveOf(repository, id)).rejects.toMatchObject(refused(`"${path}" points outside`));
  });

  it.each([
    ['..', 'means another folder'],
    ['.', 'means another folder'],
    ['.git', 'folder of Git'],
    ['.GIT', 'folder of Git'],
    ['git~1', 'folder of Git'],
    ['.git. .', 'folder of Git'],
    ['.git::$INDEX_ALLOCATION', 'folder of Git'],
    ['.g\u200cit', 'folder of Git'],
    [Buffer.from([0x61, 0xff]), 'not UTF-8'],
    ['n'.repeat(300), 'more than 255 bytes'],
  ])('is refused for the name %j', async (name, reason) => {
    const repository = await remotes.server.createRepository(
      `name-${Buffer.from(name).toString('hex').slice(0, 60)}.git`,
    );
    await repository.commit({ a: 'x' });
    const blob = Buffer.from(await repository.id('HEAD:a'), 'hex');
    const file = Buffer.concat([Buffer.from('100644 '), Buffer.from(name), Buffer.from([0]), blob]);
    const tree = await hash(repository, 'tree', file);
    const top = Buffer.concat([Buffer.from('40000 sub\0'), Buffer.from(tree, 'hex')]);
    const id = await repository.git('commit-tree', '-m', 'x', await hash(repository, 'tree', top));
    await repository.git('update-ref', 'refs/heads/main', id);
    await expect(archiveOf(repository, id)).rejects.toMatchObject(refused(reason));
    // Comparing such a tree does no harm.
    expect(await remotes.open(repository).folders(id)).toEqual(['sub']);
  });

  it('has submodules of the same host, nested and by relative addresses', async () => {
    const inner = await remotes.server.createRepository('group/inner.git');
    const innerId = await inner.commit({ 'inner.tf': 'i' });
    const module = await remotes.server.createRepository('group/module.git');
    const moduleId = await addSubmodules(module, { 'vendor/inner': ['../inner.git', innerId] });
    const repository = await remotes.server.createRepository('group/sub/top.git');
    const id = await addSubmodules(repository, {
      ...{ 'mods/module': ['../../module.git', moduleId], 'by url': [inner.url, innerId] },
      ...{ ssh: ['git@127.0.0.1:group/inner.git', innerId], other: ['https://other.example/a.git', innerId] },
      ...{ file: ['file:///etc', innerId], '.git-modules': ['', innerId] },
      ...{ credential: [inner.url.replace('//', '//u:p@'), innerId], port: ['http://127.0.0.1:1/a.git', innerId] },
    });
    const { bytes, notes } = await archiveOf(repository, id, true);
    const files = await unpacked(bytes);
    delete files['.gitmodules'];
    expect(files).toEqual({
      ...{ 'mods/module/.gitmodules': expect.any(String), 'mods/module/vendor/inner/inner.tf': '644 i' },
      ...{ 'by url/inner.tf': '644 i', ssh: 'empty folder', other: 'empty folder', file: 'empty folder' },
      ...{ '.git-modules': 'empty folder', credential: 'empty folder', port: 'empty folder' },
    });
    expect(notes.toSorted()).toEqual([
      'The submodule ".git-modules" is left out: .gitmodules does not name it.',
      'The submodule "credential" is left out: its address has a user name or password.',
      'The submodule "file" is left out: only addresses with https:// are fetched.',
      'The submodule "other" is left out: it is on another host.',
      'The submodule "port" is left out: it is on another host.',
      'The submodule "ssh" is left out: only addresses with https:// are fetched.',
    ]);
    const without = await unpacked((await archiveOf(repository, id)).bytes);
    expect(without).toMatchObject({ 'mods/module': 'empty folder', 'by url': 'empty folder' });
  });

  it('is refused for a submodule that is missing, or contains itself', async () => {
    const repository = await remotes.server.createRepository('loop.git');
    const first = await repository.commit({ a: '1' });
    const missing = await addSubmodules(repository, { gone: ['../nowhere.git', first] });
    const failed = { message: expect.stringContaining('The submodule "gone" cannot be fetched.') };
    await expect(archiveOf(repository, missing, true)).rejects.toMatchObject(failed);
    let id = first;
    for (let level = 0; level < 12; level++) id = await addSubmodules(repository, { m: ['../loop.git', id] });
    const limit = { kind: 'limit', message: expect.stringContaining('more than 10 levels deep') };
    await expect(archiveOf(repository, id, true)).rejects.toMatchObject(limit);
  });

  it('ends its thread when its reader leaves', async () => {
    const repository = await remotes.server.createRepository('left.git');
    const noise = Array.from({ length: 300_000 }, (_, at) => ((at * 2_654_435_761) >>> 0).toString(36)).join('');
    const id = await repository.commit({ noise, small: 'x' });
    const { bytes } = await remotes.open(repository).archive(id, { submodules: false });
    for await (const chunk of bytes) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    // An owner has one thread at a time: this request would wait for the archive.
    expect((await remotes.open(repository).commit(id)).id).toBe(id);
    expect(remotes.reported).toEqual([]);
  });
});

describe('folders of a commit', () => {
  it('are sorted and have no submodules', async () => {
    const repository = await remotes.server.createRepository('folders.git');
    const id = await repository.commit({ 'b/c/x': '', 'a/x': '', 'ü/x': '', x: '', 'b-c/x': '' });
    expect(await remotes.open(repository).folders(id)).toEqual(['a', 'b', 'b-c', 'b/c', 'ü']);
  });
});

function hash(repository: TestRepository, type: string, content: Uint8Array): Promise<string> {
  return repository.gitWith({ input: content }, 'hash-object', '-t', type, '-w', '--stdin', '--literally');
}

/** Adds submodules by path and commits. */
async function addSubmodules(
  repository: TestRepository,
  modules: Readonly<Record<string, readonly [url: string, id: string]>>,
): Promise<string> {
  const named = Object.entries(modules).filter(([, [url]]) => url !== '');
  const text = named.map(([path, [url]]) => `[submodule "${path}"]\n\tpath = "${path}"\n\turl = ${url}\n`).join('');
  repository.write({ '.gitmodules': text });
  await repository.git('add', '.gitmodules');
  for (const [path, [, id]] of Object.entries(modules))
    await repository.git('update-index', '--add', '--cacheinfo', `160000,${id},${path}`);
  await repository.git('commit', '-q', '-m', 'submodules');
  return repository.id();
}

function packsOf({ folder }: TestRepository): string[] {
  return execFileSync('find', [folder, '-name', '*.idx'], { encoding: 'utf8' }).trim().split('\n');
}
