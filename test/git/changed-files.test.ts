import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRepository } from '../support/git-server.ts';
import { type Remotes, startRemotes } from './support/remotes.ts';

let remotes: Remotes;
beforeAll(async () => {
  remotes = await startRemotes();
});
afterAll(() => remotes.stop());

/** Returns the list of git itself. */
async function listOfGit(repository: TestRepository, before: string, after: string): Promise<string[]> {
  const list = await repository.git('diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', before, after);
  return list.split('\0').filter((path) => path !== '');
}

async function expectSame(repository: TestRepository, before: string, after: string): Promise<string[]> {
  const changed = await remotes.open(repository).changedFiles(before, after);
  expect(changed).toEqual((await listOfGit(repository, before, after)).toSorted());
  return changed;
}

describe('changed files between two commits', () => {
  it('have both names of a renamed file, modes, links, submodules, and files that replace folders', async () => {
    const repository = await remotes.server.createRepository('kinds.git');
    const before = await repository.commit({
      ...{ 'net/main.tf': 'a', 'app/main.tf': 'b', 'run.sh': 'c', link: { link: 'run.sh' } },
      ...{ 'both/file': 'd', turned: 'e', 'ü/naïve file.tf': 'f', same: 'g', 'a.b': '1', 'a/b': '1', a0: '1' },
    });
    await repository.git('mv', 'net/main.tf', 'app/other.tf');
    await repository.git('update-index', '--chmod=+x', 'run.sh');
    repository.write({ link: { link: 'same' }, 'ü/naïve file.tf': 'F', both: null, turned: null });
    repository.write({ both: 'now a file', 'turned/into/folder': 'x', 'a.b': '2', 'a/b': '2', a0: '2' });
    await repository.git('update-index', '--add', '--cacheinfo', `160000,${before},module`);
    await repository.git('add', '--all', '.', ':!module');
    await repository.git('update-index', '--chmod=+x', 'run.sh');
    await repository.git('commit', '-q', '-m', 'changes');
    const changed = await expectSame(repository, before, await repository.id());
    expect(changed).toEqual(
      [
        ...['net/main.tf', 'app/other.tf', 'run.sh', 'link', 'both', 'both/file', 'turned', 'turned/into/folder'],
        ...['ü/naïve file.tf', 'module', 'a.b', 'a/b', 'a0'],
      ].toSorted(),
    );
  });

  it('are those of a force push and of a merge, whatever the commits between say', async () => {
    const repository = await remotes.server.createRepository('forced.git');
    const base = await repository.commit({ base: '1' });
    const dropped = await repository.commit({ 'dropped/a': '1', 'dropped/b': '1' });
    await repository.git('reset', '-q', '--hard', base);
    const forced = await repository.commit({ forced: '1' });
    expect(await expectSame(repository, dropped, forced)).toEqual(['dropped/a', 'dropped/b', 'forced']);
    await repository.git('checkout', '-q', '-b', 'side', base);
    await repository.commit({ side: '1' });
    await repository.git('checkout', '-q', 'main');
    await repository.git('merge', '-q', '--no-commit', 'side');
    // The merge itself changes a file, too.
    const merge = await repository.commit({ evil: '1' });
    expect(await expectSame(repository, forced, merge)).toEqual(['evil', 'side']);
  });

  it('are none between equal commits and equal trees', async () => {
    const repository = await remotes.server.createRepository('equal.git');
    const one = await repository.commit({ a: '1' });
    const other = await repository.commit({}, 'empty');
    expect(await expectSame(repository, one, other)).toEqual([]);
    expect(await expectSame(repository, one, one)).toEqual([]);
  });

  it('are right for the id of an annotated tag', async () => {
    const repository = await remotes.server.createRepository('tagged.git');
    const one = await repository.commit({ a: '1' });
    await repository.git('tag', '-a', '-m', 'one', 'v1');
    const tag = await repository.id('v1');
    const other = await repository.commit({ b: '1' });
    expect(tag).not.toBe(one);
    expect(await remotes.open(repository).changedFiles(tag, other)).toEqual(['b']);
  });

  it('are right at a server without filters, which sends files too', async () => {
    const content = { 'a/b': 'x'.repeat(100_000), 'a/c': 'y' };
    const withFilters = await remotes.server.createRepository('filters.git');
    const without = await remotes.server.createRepository('no-filters.git', { filters: false });
    const bytes = [];
    for (const repository of [withFilters, without]) {
      const noise = Array.from({ length: 20_000 }, (_, at) => `${(at * 7919) % 10_007}`).join(' ');
      const before = await repository.commit({ ...content, noise });
      const after = await repository.commit({ 'a/c': 'z' });
      remotes.server.requests.splice(0);
      expect(await expectSame(repository, before, after)).toEqual(['a/c']);
      bytes.push(remotes.server.requests.reduce((sum, request) => sum + request.bytes, 0));
    }
    expect(bytes[0]).toBeLessThan(2_000);
    expect(bytes[1]).toBeGreaterThan(20_000);
  });

  const name = fc.constantFrom('a', 'b', 'a.b', 'a0', 'ä', 'A', '.hidden', 'sp ace', 'q\'uote"', 'z'.repeat(40));
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const content = fc.oneof(fc.constantFrom('', '1', '2', 'x'.repeat(3_000)), fc.constant({ link: 'a' } as const));
  /** Files by path; a path below a file replaces the file. */
  const tree = fc.array(fc.tuple(path, content, fc.boolean()), { maxLength: 12 });

  it('equal those of git diff for any two trees', async () => {
    const repository = await remotes.server.createRepository('any.git');
    await fc.assert(
      fc.asyncProperty(tree, tree, async (one, other) => {
        const before = await commitOf(repository, one);
        const after = await commitOf(repository, other);
        await expectSame(repository, before, after);
      }),
      { numRuns: 40 },
    );
  });

  /** Commits exactly these files, without the work tree. */
  async function commitOf(
    repository: TestRepository,
    files: readonly (readonly [path: string, content: string | { readonly link: string }, isExecutable: boolean])[],
  ): Promise<string> {
    const modes = (content: string | { readonly link: string }, isExecutable: boolean) =>
      typeof content === 'string' ? (isExecutable ? '100755' : '100644') : '120000';
    const lines = files.map(([file, content, isExecutable]) => {
      const text = typeof content === 'string' ? content : content.link;
      const quoted = `"${file.replaceAll('"', '\\"')}"`;
      return `M ${modes(content, isExecutable)} inline ${quoted}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
    });
    const head = 'commit refs/heads/any\ncommitter Ada <a@b> 1767300000 +0000\ndata 1\nx\ndeleteall\n';
    await repository.gitWith({ input: `${head}${lines.join('')}\n` }, 'fast-import', '--quiet', '--force');
    return repository.id('refs/heads/any');
  }
});
