import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Remotes, startRemotes } from './support/remotes.ts';

let remotes: Remotes;
beforeAll(async () => {
  remotes = await startRemotes();
});
afterAll(() => remotes.stop());

const namesOf = (refs: readonly { readonly name: string }[]) => refs.map(({ name }) => name);

describe('refs of a repository', () => {
  it('have peeled tags, the target of HEAD, and names with slashes and quotes', async () => {
    const repository = await remotes.server.createRepository('refs.git');
    const first = await repository.commit({ 'main.tf': '' });
    await repository.git('tag', 'light');
    await repository.git('tag', '--annotate', '--message', 'one', 'v1');
    // A signed tag is an annotated tag whose message has a signature.
    await repository.git('tag', '-a', '-m', '-----BEGIN PGP SIGNATURE-----\n\nxyz\n-----END PGP SIGNATURE-----', 'v2');
    await repository.git('tag', '--annotate', '--message', 'of a tag', 'nested', 'v1');
    await repository.git('branch', `team/a'b"c`);
    await repository.git('branch', 'ünïcode/🚀');
    const remote = remotes.open(repository);
    const refs = await remote.refs(['HEAD', 'refs/heads/', 'refs/tags/']);
    expect(refs).toContainEqual({ name: 'HEAD', commitId: first, target: 'refs/heads/main' });
    expect(namesOf(refs).toSorted()).toEqual(
      [
        ...['HEAD', 'refs/heads/main', `refs/heads/team/a'b"c`, 'refs/heads/ünïcode/🚀'],
        ...['refs/tags/light', 'refs/tags/nested', 'refs/tags/v1', 'refs/tags/v2'],
      ].toSorted(),
    );
    expect([...new Set(refs.map(({ commitId }) => commitId))]).toEqual([first]);
    expect(namesOf(await remote.refs(['refs/heads/team/']))).toEqual([`refs/heads/team/a'b"c`]);
  });

  it('are empty in an empty repository', async () => {
    const repository = await remotes.server.createRepository('empty.git');
    expect(await remotes.open(repository).refs(['HEAD', 'refs/'])).toEqual([]);
  });

  it('cost one request when the capabilities are known', async () => {
    const repository = await remotes.server.createRepository('polled.git');
    await repository.commit();
    await remotes.open(repository).refs(['refs/heads/']);
    remotes.server.requests.splice(0);
    await remotes.open(repository).refs(['refs/heads/']);
    expect(remotes.server.requests.map(({ path }) => path)).toEqual(['/polled.git/git-upload-pack']);
    expect(remotes.server.requests[0]?.bytes).toBeLessThan(200);
  });
});

describe('commits of a repository', () => {
  it('have parents, message, author and time', async () => {
    const repository = await remotes.server.createRepository('commits.git');
    const first = await repository.commit({}, 'first');
    const message = `Ünïcode 🚀\n\nbody ${'é'.repeat(40_000)}`;
    const second = await repository.commit({}, message);
    const commit = await remotes.open(repository).commit(second);
    expect(commit).toMatchObject({ id: second, parentIds: [first], author: 'Ada' });
    expect(commit.committedAt).toBe(Number(await repository.git('log', '-1', '--format=%ct')) * 1_000);
    expect(Buffer.byteLength(commit.message)).toBeLessThanOrEqual(65_536);
    expect(message.startsWith(commit.message)).toBe(true);
    expect((await remotes.open(repository).commit(first)).parentIds).toEqual([]);
  });

  it('are listed along the first parents', async () => {
    const repository = await remotes.server.createRepository('history.git');
    const one = await repository.commit({ a: '1' }, 'one');
    await repository.git('checkout', '-q', '-b', 'side');
    await repository.commit({ b: '1' }, 'side');
    await repository.git('checkout', '-q', 'main');
    const two = await repository.commit({ a: '2' }, 'two');
    await repository.git('merge', '-q', '--no-ff', '-m', 'merge', 'side');
    const merge = await repository.id();
    const remote = remotes.open(repository);
    expect((await remote.history(merge, 10)).map(({ id }) => id)).toEqual([merge, two, one]);
    expect((await remote.history(merge, 2)).map(({ id }) => id)).toEqual([merge, two]);
  });

  it('that are missing are gone', async () => {
    const repository = await remotes.server.createRepository('missing.git');
    const there = await repository.commit();
    const remote = remotes.open(repository);
    const missing = 'ab'.repeat(20);
    const gone = { kind: 'gone', message: expect.stringContaining('not our ref') };
    await expect(remote.commit(missing)).rejects.toMatchObject(gone);
    await expect(remote.changedFiles(missing, there)).rejects.toMatchObject(gone);
    await expect(remote.archive(missing, { submodules: false })).rejects.toMatchObject(gone);
    expect(remotes.reported).toEqual([]);
  });

  it('that are no commits are refused', async () => {
    const repository = await remotes.server.createRepository('no-commit.git');
    await repository.commit({ a: '1' });
    const file = await repository.id('HEAD:a');
    const message = expect.stringContaining('is not a commit');
    await expect(remotes.open(repository).commit(file)).rejects.toMatchObject({ kind: 'invalid', message });
  });
});

describe('the merge base', () => {
  it('is that of git, also after a criss-cross merge and with a branch that is far behind', async () => {
    const repository = await remotes.server.createRepository('bases.git');
    const root = await repository.commit({ a: '0' }, 'root');
    await repository.git('checkout', '-q', '-b', 'old');
    const old = await repository.commit({ old: '1' }, 'old');
    await repository.git('checkout', '-q', 'main');
    // More commits than the first request fetches.
    const commits = Array.from(
      { length: 60 },
      (_, at) =>
        `commit refs/heads/main\ncommitter Ada <a@b> ${1_767_300_000 + at} +0000\ndata 1\n${at % 10}\n${at === 0 ? `from ${root}\n` : ''}`,
    );
    await repository.gitWith({ input: commits.join('') }, 'fast-import', '--quiet');
    const far = await repository.id('main');
    await repository.git('reset', '-q', '--hard', 'main');
    await repository.git('checkout', '-q', '-b', 'left');
    await repository.commit({ left: '1' });
    await repository.git('checkout', '-q', '-b', 'right', 'main');
    const right = await repository.commit({ right: '1' });
    await repository.git('merge', '-q', '-m', 'right and left', 'left');
    await repository.git('checkout', '-q', 'left');
    await repository.git('merge', '-q', '-m', 'left and right', right);
    const remote = remotes.open(repository);
    const same = async (a: string, b: string) => {
      const [one, other] = [await repository.id(a), await repository.id(b)];
      const bases = (await repository.git('merge-base', '--all', one, other).catch(() => '')).split('\n');
      const found = await remote.mergeBase(one, other);
      expect(bases).toContain(found);
      expect(await remote.mergeBase(other, one)).toBe(found);
      return found;
    };
    expect(await same('old', 'main')).toBe(root);
    expect(await same(old, far)).toBe(root);
    expect(await same('main', 'main')).toBe(far);
    expect(await same('left', 'main')).toBe(far);
    await same('left', 'right');
  });

  it('is undefined for histories that have none', async () => {
    const repository = await remotes.server.createRepository('unrelated.git');
    const one = await repository.commit({ a: '1' });
    await repository.git('checkout', '-q', '--orphan', 'other');
    const other = await repository.commit({ b: '1' });
    expect(await remotes.open(repository).mergeBase(one, other)).toBeUndefined();
  });
});
