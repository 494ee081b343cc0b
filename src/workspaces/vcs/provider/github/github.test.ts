import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deliveryHeaders,
  type FakeProvider,
  type FakeRepository,
  fakeGitea,
  fakeGitHub,
  NO_COMMIT,
} from '../../../../../test/support/vcs/fake-github.ts';
import { firstOnly, json, page } from '../../../../../test/support/vcs/misbehaviour.ts';
import { createTenantFetch } from '../../../../outbound/tenant-fetch.ts';
import { ProviderClients } from '../http/provider-clients.ts';
import type { OAuthFlow, Provider, ProviderAccess, ProviderHttp } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { findProviderKind } from '../providers.ts';

const FLAVOURS = [
  ['github', fakeGitHub],
  ['gitea', fakeGitea],
] as const;
const PAYLOADS = new URL('../../../../../test/support/vcs/payloads/', import.meta.url);

describe.each(FLAVOURS)('the adapter of %s', (flavour, start) => {
  const provider = findProviderKind(flavour, 'token')?.provider as Provider;
  const { pulls, hooks, reports, oauth } = provider as Required<Provider>;
  let fake: FakeProvider;
  let http: ProviderHttp;
  let access: ProviderAccess;
  let repository: FakeRepository;

  beforeEach(async () => {
    fake = await start();
    repository = await fake.createRepository('acme/mono');
    const clients = new ProviderClients({ fetch: createTenantFetch(['127.0.0.1']), clock: Date.now });
    http = clients.clientOf({ id: 'a', apiUrl: fake.apiUrl, httpUrl: fake.httpUrl }, { writePauseMs: 0 });
    access = { apiUrl: fake.apiUrl, httpUrl: fake.httpUrl, http, credential: { kind: 'token', token: fake.token } };
  });

  afterEach(() => fake.stop());

  const ref = ({ id, fullName }: FakeRepository) => ({ providerId: String(id), identifier: fullName });

  it('finds the account of the credential', async () => {
    const scopes = flavour === 'github' ? ['repo', 'read:org'] : [];
    expect(await provider.whoAmI(access)).toEqual({ name: 'ada', scopes });
    const other = { ...access, credential: { kind: 'token', token: 'wrong' } as const };
    await expect(provider.whoAmI(other)).rejects.toMatchObject({ kind: 'refused' });
    fake.server.misbehave = page();
    await expect(provider.whoAmI(access)).rejects.toMatchObject({ kind: 'invalid' });
    fake.server.misbehave = page(404);
    await expect(provider.whoAmI(access)).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('lists repositories in pages, and searches them', async () => {
    for (let i = 0; i < 120; i++) fake.repositories.push({ ...repository, id: 1000 + i, fullName: `acme/r${i}` });
    const found: string[] = [];
    for (let at: number | null = 1; at !== null; ) {
      const { items, nextPage }: Awaited<ReturnType<Provider['repositories']>> = await provider.repositories(access, {
        search: '',
        page: at,
      });
      found.push(...items.map(({ identifier }) => identifier));
      at = nextPage;
    }
    expect(found).toEqual(fake.repositories.map(({ fullName }) => fullName).reverse());
    const { items, nextPage } = await provider.repositories(access, { search: 'mono', page: 1 });
    expect([items.map(({ identifier }) => identifier), nextPage]).toEqual([['acme/mono'], null]);
  });

  it('finds a repository by its id, its name and its old name', async () => {
    const found = await provider.repository(access, { identifier: 'acme/mono' });
    expect(found).toEqual({
      ...{ providerId: '101', identifier: 'acme/mono', displayIdentifier: 'acme/mono', isPrivate: true },
      ...{ httpUrl: `${fake.httpUrl}/acme/mono`, gitUrl: repository.git.url, defaultBranch: 'main' },
    });
    expect(await provider.repository(access, { providerId: '101', identifier: 'acme/former' })).toEqual(found);
    fake.rename(repository, 'acme/platform');
    expect(await provider.repository(access, { identifier: 'acme/mono' })).toMatchObject({
      identifier: 'acme/platform',
    });
    for (const identifier of ['acme/none', 'acme', 'a/b/c', '../user', 'acme/..', ''])
      expect(await provider.repository(access, { identifier })).toBeUndefined();
    expect(await provider.repository(access, { providerId: '999', identifier: 'acme/mono' })).toBeUndefined();
    expect(fake.server.requests.map(({ path }) => path).filter((path) => path.includes('..'))).toEqual([]);
  });

  it('describes pull requests, forks included', async () => {
    const fork = await fake.fork(repository, 'eve');
    const mergeBase = await repository.git.id();
    await repository.git.git('checkout', '--quiet', '-b', 'feature/x');
    const headId = await repository.git.commit({ 'x.tf': '# x\n' });
    const own = await fake.openPull(repository, 'feature/x');
    await fork.git.git('checkout', '--quiet', '-b', 'evil');
    const evilId = await fork.git.commit({ 'evil.tf': '# evil\n' });
    await fake.openPull(repository, 'evil', fork);
    Object.assign(own, { title: 'T\u202e\n', body: 'b'.repeat(100_000), isDraft: true, updatedAt: 9 });
    const open = await pulls.open(access, ref(repository), undefined);
    expect(open?.items).toEqual([
      {
        ...{
          number: 1,
          state: 'open',
          isDraft: true,
          title: 'T ',
          body: 'b'.repeat(65_536),
          headRef: 'feature/x',
          headId,
        },
        ...{
          url: `${fake.httpUrl}/acme/mono/pull/1`,
          baseRef: 'main',
          headRepositoryId: '101',
          baseRepositoryId: '101',
        },
        mergeBaseId: flavour === 'gitea' ? mergeBase : null,
        author: { name: 'acme', avatarUrl: `${fake.httpUrl}/acme.png`, url: `${fake.httpUrl}/acme` },
      },
      expect.objectContaining({
        number: 2,
        headRef: 'evil',
        headId: evilId,
        headRepositoryId: '102',
        baseRepositoryId: '101',
      }),
    ]);
    expect(await pulls.one(access, ref(repository), 1)).toEqual(open?.items[0]);
    expect(await pulls.one(access, ref(repository), 3)).toBeUndefined();
    Object.assign(own, { state: 'closed', isMerged: true });
    expect(await pulls.one(access, ref(repository), 1)).toMatchObject({ state: 'merged' });
    own.isMerged = false;
    expect(await pulls.one(access, ref(repository), 1)).toMatchObject({ state: 'closed' });
  });

  it('knows no repository of a head that was deleted, or that is no branch', async () => {
    const pull = await fake.openPull(repository, 'main');
    pull.head = null;
    expect(await pulls.one(access, ref(repository), 1)).toMatchObject({ headRepositoryId: null });
    Object.assign(pull, { head: repository, headRef: 'refs/pull/1/head' });
    expect(await pulls.one(access, ref(repository), 1)).toMatchObject({ headRepositoryId: null });
  });

  it('refuses the pull requests of another repository that took the name', async () => {
    await fake.openPull(repository, 'main');
    const old = { providerId: '55', identifier: 'acme/mono' };
    await expect(pulls.open(access, old, undefined)).rejects.toMatchObject({ kind: 'invalid' });
    await expect(pulls.one(access, old, 1)).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('loads all pages of open pull requests, and none of them again while nothing changes', async () => {
    const pull = await fake.openPull(repository, 'main');
    for (let number = 2; number <= 350; number++) repository.pulls.push({ ...pull, number });
    const open = await pulls.open(access, ref(repository), undefined);
    expect(open?.items.map(({ number }) => number)).toEqual(Array.from({ length: 300 }, (_, i) => 350 - i));
    if (flavour === 'gitea') return expect(open?.etag).toBeNull();
    expect(await pulls.open(access, ref(repository), open?.etag ?? '')).toBeUndefined();
    // It is on the last page.
    const oldest = repository.pulls.find(({ number }) => number === 51);
    if (oldest) oldest.state = 'closed';
    expect((await pulls.open(access, ref(repository), open?.etag ?? ''))?.items.map(({ number }) => number)).toContain(
      50,
    );
    for (const etag of ['no JSON', '"text"', '{}'])
      expect((await pulls.open(access, ref(repository), etag))?.items.length).toBe(300);
  });

  it('leaves out a pull request that is too large, and only that one', async () => {
    const pull = await fake.openPull(repository, 'main');
    for (let number = 2; number <= 25; number++) repository.pulls.push({ ...pull, number });
    const large = repository.pulls.at(-3);
    if (large) large.body = 'x'.repeat(3_000_000);
    const open = await pulls.open(access, ref(repository), undefined);
    const numbers = Array.from({ length: 25 }, (_, i) => 25 - i).filter((number) => number !== large?.number);
    expect(open).toMatchObject({ etag: null, items: numbers.map((number) => ({ number })) });
  });

  it('creates, updates, finds and removes the hook of a repository', async () => {
    const wanted = { url: 'https://lockkeeper.example/hook/1', secret: 'one', hookId: null };
    const id = await hooks.ensure(access, ref(repository), wanted);
    expect(repository.hooks).toMatchObject([{ id: Number(id), url: wanted.url, secret: 'one' }]);
    // Gitea ignores the secret of an update.
    const second = await hooks.ensure(access, ref(repository), { ...wanted, secret: 'two', hookId: id });
    expect(repository.hooks).toMatchObject([{ id: Number(second), secret: 'two' }]);
    // A server that stopped before it stored the id finds the hook by its URL.
    const third = await hooks.ensure(access, ref(repository), { ...wanted, secret: 'three' });
    expect(repository.hooks).toMatchObject([{ id: Number(third), secret: 'three' }]);
    // An old server had another URL.
    const moved = { ...wanted, url: 'https://new.example/', hookId: third };
    const fourth = await hooks.ensure(access, ref(repository), moved);
    expect(repository.hooks).toMatchObject([{ id: Number(fourth), url: moved.url, secret: 'one' }]);
    await hooks.remove(access, ref(repository), fourth);
    await hooks.remove(access, ref(repository), fourth);
    expect(repository.hooks).toEqual([]);
    // Somebody deleted the hook.
    expect(await hooks.ensure(access, ref(repository), { ...wanted, hookId: id })).toBe('1');
  });

  it('proves and reads deliveries', async () => {
    await hooks.ensure(access, ref(repository), { url: 'https://a.example/', secret: 'one', hookId: null });
    const { events } = repository.hooks[0] as { events: readonly string[] };
    expect(events).toEqual(expect.arrayContaining(['push', 'pull_request', 'repository']));
    const body = Buffer.from(JSON.stringify({ action: 'opened', number: 4, repository: { id: 101 }, sender: null }));
    const headers = deliveryHeaders(flavour, 'pull_request', 'one', body);
    expect(hooks.prove({ headers, body }, 'one')).toBe(true);
    expect(hooks.prove({ headers, body }, 'two')).toBe(false);
    expect(hooks.prove({ headers: {}, body }, 'one')).toBe(false);
    expect(hooks.prove({ headers, body: Buffer.from('{}') }, 'one')).toBe(false);
    expect(hooks.deliveryId({ headers, body })).toBe(headers['x-github-delivery']);
    expect(() => hooks.deliveryId({ headers: {}, body })).toThrow(ProviderError);
    const sender = { name: '', avatarUrl: null, url: null };
    expect(hooks.parse({ headers, body })).toEqual([{ kind: 'pull', repositoryId: '101', number: 4, sender }]);
  });

  it.each([
    ['push', { ref: 'refs/heads/a' }],
    ['push', { ref: 'refs/heads/a', before: 'x', after: NO_COMMIT, repository: { id: 1 } }],
    ['push', { ref: 'refs/heads/a', before: NO_COMMIT, after: NO_COMMIT, repository: { id: '1' } }],
    ['pull_request', { action: 'opened', repository: { id: 1 } }],
    ['repository', { repository: null }],
    ['push', []],
  ])('refuses a %s of %j', (event, payload) => {
    const body = Buffer.from(JSON.stringify(payload));
    const headers = deliveryHeaders(flavour, event, 'one', body);
    expect(() => hooks.parse({ headers, body })).toThrow(ProviderError);
  });

  it('sets statuses, shortened to what the provider takes', async () => {
    const commitId = await repository.git.id();
    const status = { commitId, ref: 'main', context: 'lockkeeper/acme', url: 'https://lockkeeper.example/' };
    await reports.status(access, ref(repository), { ...status, state: 'canceled', description: 'x'.repeat(1000) });
    expect(fake.statuses).toMatchObject([
      { of: commitId, body: { state: 'error', context: 'lockkeeper/acme', target_url: status.url } },
    ]);
    expect(fake.statuses[0]?.body.description.length).toBe(reports.limits.description);
    fake.server.misbehave = json(422, { message: 'This SHA and context has reached the maximum number of statuses.' });
    await expect(
      reports.status(access, ref(repository), { ...status, state: 'success', description: '' }),
    ).rejects.toMatchObject({ kind: 'rejected', message: expect.stringContaining('maximum number of statuses') });
  });

  it('keeps one comment up to date, and writes it again if somebody deletes it', async () => {
    await fake.openPull(repository, 'main');
    const id = await reports.comment(access, ref(repository), { number: 1, commentId: null, text: 'one' });
    expect(await reports.comment(access, ref(repository), { number: 1, commentId: id, text: 'two' })).toBe(id);
    expect(fake.comments).toMatchObject([{ of: '1', body: { body: 'two' } }]);
    fake.comments.splice(0, 1);
    expect(
      await reports.comment(access, ref(repository), { number: 1, commentId: id, text: 'x'.repeat(100_000) }),
    ).toBe('1001');
    expect(fake.comments[0]?.body.body.length).toBe(reports.limits.comment);
  });

  it('writes to a repository by its old name', async () => {
    const old = ref(repository);
    fake.rename(repository, 'acme/platform');
    await fake.openPull(repository, 'main');
    await reports.comment(access, old, { number: 1, commentId: null, text: 'one' });
    expect(fake.comments).toMatchObject([{ repositoryId: 101 }]);
    expect((await pulls.open(access, old, undefined))?.items.length).toBe(1);
  });

  it('signs a person in, once, with proof of the key', async () => {
    const app = {
      httpUrl: fake.httpUrl,
      apiUrl: fake.apiUrl,
      key: fake.oauth.clientId,
      secret: fake.oauth.clientSecret,
    };
    const code = () => approve(oauth, app, 'verifier-1');
    const grant = { code: await code(), redirectUri: REDIRECT, verifier: 'verifier-1' };
    const { accessToken, refreshToken, expiresIn } = await oauth.exchange(app, grant, http);
    expect(expiresIn).toBe(flavour === 'gitea' ? 3600 : null);
    const signedIn = { ...access, credential: { kind: 'oauth', token: accessToken } as const };
    expect(await provider.whoAmI(signedIn)).toMatchObject({ name: 'ada' });
    const refused = { kind: 'refused', message: expect.stringContaining('sign-in') };
    await expect(oauth.exchange(app, grant, http)).rejects.toMatchObject(refused);
    await expect(oauth.exchange(app, { ...grant, code: await code(), verifier: 'other' }, http)).rejects.toMatchObject(
      refused,
    );
    await expect(oauth.exchange({ ...app, secret: 'x' }, { ...grant, code: await code() }, http)).rejects.toMatchObject(
      refused,
    );
    if (refreshToken === null) return;
    const next = await oauth.refresh(app, refreshToken, http);
    expect(next.accessToken).not.toBe(accessToken);
    await expect(oauth.refresh(app, refreshToken, http)).rejects.toMatchObject(refused);
  });

  it('gives the credential for Git as a password', () => {
    expect(provider.gitCredentials(access.credential)).toEqual({ username: 'x-access-token', password: fake.token });
  });

  it('goes on after a fault of the provider', async () => {
    fake.server.misbehave = firstOnly(page(502));
    await expect(provider.whoAmI(access)).rejects.toMatchObject({ kind: 'unreachable' });
    expect(await provider.whoAmI(access)).toMatchObject({ name: 'ada' });
  });
});

const REDIRECT = 'https://lockkeeper.example/auth/1/callback';

/** Returns the code that a person's agreement gives. */
async function approve(
  oauth: OAuthFlow,
  app: Parameters<OAuthFlow['authorizeUrl']>[0],
  verifier: string,
): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', Buffer.from(verifier));
  const challenge = Buffer.from(hash).toString('base64url');
  const url = oauth.authorizeUrl(app, { state: 'state 1', redirectUri: REDIRECT, challenge });
  const response = await fetch(url, { redirect: 'manual' });
  const location = new URL(response.headers.get('location') ?? '');
  expect(location.searchParams.get('state')).toBe('state 1');
  return location.searchParams.get('code') ?? '';
}

describe('a recorded delivery', () => {
  const hintsOf = (flavour: 'github' | 'gitea', file: string, event: string, change: object = {}) => {
    const recorded = JSON.parse(readFileSync(new URL(`${flavour}/${file}.json`, PAYLOADS), 'utf8'));
    const body = Buffer.from(JSON.stringify({ ...recorded, ...change }, null, 2));
    return findProviderKind(flavour, 'token')?.provider.hooks?.parse({
      headers: deliveryHeaders(flavour, event, '', body),
      body,
    });
  };

  it('of a push names the ref, both commits and the sender', () => {
    expect(hintsOf('github', 'push', 'push')).toEqual([
      {
        ...{ kind: 'push', repositoryId: '63933911', ref: 'refs/heads/master' },
        before: '737d38c599c1b2991664dfc6155d6bf516fcce36',
        after: 'fd489864e7642b48eaad6e3f155c10e46810ec72',
        sender: expect.objectContaining({ name: 'binkkatal', url: 'https://github.com/binkkatal' }),
        compareUrl: 'https://github.com/binkkatal/sample_app/compare/737d38c599c1...fd489864e764',
      },
    ]);
    expect(hintsOf('github', 'push', 'push', { after: NO_COMMIT })).toMatchObject([{ after: null }]);
    expect(hintsOf('gitea', 'push', 'push')).toMatchObject([
      { repositoryId: '1', ref: 'refs/heads/master', before: null, after: '67b56589a45103f891bdee7c0546e5d40bc02001' },
    ]);
  });

  it('of a deletion names the ref', () => {
    expect(hintsOf('gitea', 'delete', 'delete')).toMatchObject([
      { kind: 'push', ref: 'refs/heads/example3', after: null },
    ]);
    expect(hintsOf('github', 'delete', 'delete')).toMatchObject([
      { kind: 'push', ref: 'refs/tags/simple-tag', after: null },
    ]);
  });

  it('of a pull request names its number, unless nothing changed that matters', () => {
    expect(hintsOf('github', 'pull-request', 'pull_request')).toMatchObject([
      { kind: 'pull', repositoryId: '35129377', number: 1 },
    ]);
    expect(hintsOf('gitea', 'pull-request', 'pull_request')).toMatchObject([
      { kind: 'pull', repositoryId: '1', number: 2 },
    ]);
    expect(hintsOf('github', 'pull-request', 'pull_request', { action: 'labeled' })).toEqual([]);
  });

  it('of a repository, or of the access to it, names its id', () => {
    expect(hintsOf('github', 'repository', 'repository')).toEqual([{ kind: 'repository', repositoryId: '27496774' }]);
    expect(hintsOf('gitea', 'repository', 'repository')).toEqual([{ kind: 'repository', repositoryId: '5' }]);
    expect(hintsOf('github', 'public', 'public')).toEqual([{ kind: 'repository', repositoryId: '35129377' }]);
    expect(hintsOf('github', 'installation-repositories', 'installation_repositories')).toEqual([
      { kind: 'installation', installationId: expect.any(Number) },
      { kind: 'repository', repositoryId: '1296269' },
    ]);
    expect(hintsOf('github', 'installation', 'installation')).toMatchObject([
      { kind: 'installation' },
      { repositoryId: '1296269' },
    ]);
  });

  it('of another kind gives no hint', () => {
    expect(hintsOf('github', 'ping', 'ping')).toEqual([]);
    expect(hintsOf('github', 'create', 'create')).toEqual([]);
    expect(hintsOf('gitea', 'issues', 'issues')).toEqual([]);
    expect(hintsOf('github', 'push', 'constructor')).toEqual([]);
  });
});
