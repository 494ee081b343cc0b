import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenantFetch } from '../../../src/outbound/tenant-fetch.ts';
import { giteaProvider } from '../../../src/workspaces/vcs/provider/gitea/gitea.ts';
import { ProviderClients } from '../../../src/workspaces/vcs/provider/http/provider-clients.ts';
import type {
  Hint,
  Provider,
  ProviderAccess,
  RawDelivery,
  RepositoryRef,
} from '../../../src/workspaces/vcs/provider/port.ts';
import { ADMINISTRATOR, type Gitea, startGitea } from './server.ts';

const { pulls, hooks, reports, oauth, ...provider } = giteaProvider as Required<Provider>;
const SECRET = 'secret-of-the-hook';
const REDIRECT = 'http://127.0.0.1:9/callback';

describe('the adapter of Gitea, at a Gitea server', () => {
  let gitea: Gitea;
  let access: ProviderAccess;
  let ref: RepositoryRef;
  let work: string;
  let receiver: Server;
  const deliveries: RawDelivery[] = [];

  beforeAll(async () => {
    gitea = await startGitea();
    access = accessOf(gitea.token);
    await gitea.api('POST', '/orgs', { username: 'acme' });
    const { id } = await gitea.api('POST', '/orgs/acme/repos', { name: 'mono', default_branch: 'main', private: true });
    ref = { providerId: String(id), identifier: 'acme/mono' };
    work = join(gitea.folder, 'work');
    mkdirSync(work);
    await gitea.git(work, 'init', '--quiet', '--initial-branch=main');
    receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      deliveries.push({ headers: request.headers as RawDelivery['headers'], body: Buffer.concat(chunks) });
      response.writeHead(202).end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });

  afterAll(async () => {
    receiver?.close();
    await gitea?.stop();
  });

  function accessOf(token: string): ProviderAccess {
    const { apiUrl, address: httpUrl } = gitea;
    const clients = new ProviderClients({ fetch: createTenantFetch(['127.0.0.1']), clock: Date.now });
    const http = clients.clientOf({ id: 'gitea', apiUrl, httpUrl }, { writePauseMs: 0 });
    return { apiUrl, httpUrl, http, credential: { kind: 'token', token } };
  }

  async function commit(file: string): Promise<string> {
    writeFileSync(join(work, file), `# ${file}\n`);
    await gitea.git(work, 'add', '--all');
    await gitea.git(work, 'commit', '--quiet', '--message', file);
    return gitea.git(work, 'rev-parse', 'HEAD');
  }

  function push(refspec: string, fullName = 'acme/mono', credential?: { username: string; password: string }) {
    return gitea.git(work, 'push', '--quiet', '--force', gitea.cloneUrl(fullName, credential), refspec);
  }

  /** Returns the hints of all proven deliveries so far. */
  const hints = (): Hint[] =>
    deliveries.filter((each) => hooks.prove(each, SECRET)).flatMap((each) => hooks.parse(each));

  it('finds the account, and a token for repositories only has none', async () => {
    expect(await provider.whoAmI(access)).toEqual({ name: ADMINISTRATOR, scopes: [] });
    const limited = await gitea.createUser('reader', ['read:repository']);
    expect(await provider.whoAmI(accessOf(limited))).toEqual({ name: '', scopes: [] });
    await expect(provider.whoAmI(accessOf('wrong'))).rejects.toMatchObject({ kind: 'refused' });
    // Others may not know that a private repository exists.
    expect(await provider.repository(accessOf(limited), { identifier: 'acme/mono' })).toBeUndefined();
  });

  it('finds repositories, empty ones included', async () => {
    const found = await provider.repository(access, { identifier: 'acme/mono' });
    expect(found).toEqual({
      ...{ ...ref, displayIdentifier: 'acme/mono', defaultBranch: null, isPrivate: true },
      ...{ httpUrl: `${gitea.address}/acme/mono`, gitUrl: `${gitea.address}/acme/mono.git` },
    });
    await commit('main.tf');
    await push('main');
    const branch = async () => (await provider.repository(access, { providerId: ref.providerId }))?.defaultBranch;
    await expect.poll(branch).toBe('main');
    for (let i = 0; i < 51; i++) await gitea.api('POST', '/orgs/acme/repos', { name: `other-${i}` });
    const first = await provider.repositories(access, { search: '', page: 1 });
    expect([first.items.length, first.nextPage]).toEqual([50, 2]);
    const second = await provider.repositories(access, { search: '', page: 2 });
    expect([second.items.length, second.nextPage]).toEqual([2, null]);
    const searched = await provider.repositories(access, { search: 'mon', page: 1 });
    expect(searched).toMatchObject({ items: [{ identifier: 'acme/mono' }], nextPage: null });
  });

  it('accepts its credential for Git', async () => {
    const url = gitea.cloneUrl('acme/mono', provider.gitCredentials(access.credential));
    expect(await gitea.git(work, 'ls-remote', url, 'refs/heads/main')).toContain('refs/heads/main');
  });

  it('delivers pushes, tags, deletions and pull requests, with proof', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const wanted = { url, secret: 'another', hookId: null };
    const id = await hooks.ensure(access, ref, wanted);
    const next = await hooks.ensure(access, ref, { ...wanted, secret: 'one more' });
    const hookId = await hooks.ensure(access, ref, { ...wanted, secret: SECRET, hookId: next });
    const made = await gitea.api('GET', '/repos/acme/mono/hooks');
    expect([id !== next, made]).toMatchObject([true, [{ id: Number(hookId), active: true, config: { url } }]]);
    const before = await gitea.git(work, 'rev-parse', 'HEAD');
    const after = await commit('second.tf');
    await push('main');
    const sender = { name: ADMINISTRATOR, avatarUrl: expect.any(String), url: `${gitea.address}/${ADMINISTRATOR}` };
    const compareUrl = `${gitea.address}/acme/mono/compare/${before}...${after}`;
    const repositoryId = ref.providerId;
    await expect.poll(hints).toContainEqual({
      ...{ kind: 'push', repositoryId, ref: 'refs/heads/main', before, after, sender, compareUrl },
    });
    expect(deliveries.every((each) => hooks.prove(each, SECRET) && hooks.deliveryId(each).length > 30)).toBe(true);
    await gitea.git(work, 'tag', '--annotate', '--message', 'one', 'v1.0.0');
    await push('v1.0.0');
    await push('main:refs/heads/gone');
    await push(':refs/heads/gone');
    await expect.poll(hints).toContainEqual(expect.objectContaining({ ref: 'refs/tags/v1.0.0', before: null }));
    await expect.poll(hints).toContainEqual(expect.objectContaining({ ref: 'refs/heads/gone', after: null }));

    await gitea.git(work, 'checkout', '--quiet', '-b', 'feature/x');
    const headId = await commit('feature.tf');
    await push('feature/x');
    const { number } = await gitea.api('POST', '/repos/acme/mono/pulls', {
      head: 'feature/x',
      base: 'main',
      title: 'WIP: T',
      body: 'B',
    });
    await expect.poll(hints).toContainEqual({ kind: 'pull', repositoryId, number, sender });
    expect(await pulls.one(access, ref, number)).toEqual({
      ...{
        number,
        state: 'open',
        isDraft: true,
        title: 'WIP: T',
        body: 'B',
        url: `${gitea.address}/acme/mono/pulls/${number}`,
      },
      ...{
        headRef: 'feature/x',
        headId,
        headRepositoryId: repositoryId,
        baseRef: 'main',
        baseRepositoryId: repositoryId,
      },
      ...{ mergeBaseId: after, author: sender },
    });
    const opened = deliveries.length;
    const newest = await commit('feature-2.tf');
    await push('feature/x');
    const later = () => deliveries.slice(opened).flatMap((each) => hooks.parse(each));
    await expect.poll(later).toContainEqual(expect.objectContaining({ kind: 'pull', number }));
    await expect.poll(async () => (await pulls.one(access, ref, number))?.headId).toBe(newest);
    await hooks.remove(access, ref, hookId);
    await hooks.remove(access, ref, hookId);
    expect(await gitea.api('GET', '/repos/acme/mono/hooks')).toEqual([]);
  });

  it('tells pull requests of forks, and of people without write access', async () => {
    const eve = await gitea.createUser('eve', ['write:repository', 'write:issue', 'read:user']);
    await gitea.api('PUT', '/repos/acme/mono/collaborators/eve', { permission: 'read' });
    const credential = { username: 'eve', password: eve };
    const headers = { authorization: `token ${eve}`, 'content-type': 'application/json' };
    const asEve = async (path: string, body: object) => {
      const response = await fetch(gitea.apiUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { id: number; number: number };
    };
    const fork = await asEve('/repos/acme/mono/forks', {});
    await gitea.git(work, 'checkout', '--quiet', '-b', 'evil', 'main');
    const evilId = await commit('evil.tf');
    await push('evil', 'eve/mono', credential);
    const ofFork = await asEve('/repos/acme/mono/pulls', { head: 'eve:evil', base: 'main', title: 'F' });
    // AGit: whoever may read the repository pushes a commit that becomes a pull request.
    await gitea.git(work, 'commit', '--quiet', '--allow-empty', '--message', 'agit');
    await push('HEAD:refs/for/main/agit', 'acme/mono', credential);
    const open = await pulls.open(access, ref, undefined);
    expect(open?.etag).toBeNull();
    const byNumber = new Map(open?.items.map((pull) => [pull.number, pull]));
    expect(byNumber.get(ofFork.number)).toMatchObject({
      headId: evilId,
      headRepositoryId: String(fork.id),
      baseRepositoryId: ref.providerId,
    });
    const others = open?.items.filter(({ author, number }) => author.name === 'eve' && number !== ofFork.number);
    expect(others).toMatchObject([{ headRepositoryId: null }]);
    await gitea.api('DELETE', '/repos/eve/mono');
    expect(await pulls.one(access, ref, ofFork.number)).toMatchObject({ headRepositoryId: null });
  });

  it('closes and merges pull requests', async () => {
    const all = (await pulls.open(access, ref, undefined))?.items ?? [];
    const own = all.find(({ headRef }) => headRef === 'feature/x')?.number ?? 0;
    await gitea.api('PATCH', `/repos/acme/mono/pulls/${own}`, { title: 'T' });
    const merge = () =>
      gitea.api('POST', `/repos/acme/mono/pulls/${own}/merge`, { Do: 'merge' }).then(() => 'merged', String);
    await expect.poll(merge).toBe('merged');
    expect(await pulls.one(access, ref, own)).toMatchObject({ state: 'merged', isDraft: false });
    const other = all.find(({ number }) => number !== own)?.number ?? 0;
    await gitea.api('PATCH', `/repos/acme/mono/pulls/${other}`, { state: 'closed' });
    expect(await pulls.one(access, ref, other)).toMatchObject({ state: 'closed' });
    expect((await pulls.open(access, ref, undefined))?.items.map(({ number }) => number)).not.toContain(own);
    expect(await pulls.one(access, ref, 9999)).toBeUndefined();
  });

  it('shows statuses and one comment', async () => {
    const commitId = await gitea.git(work, 'rev-parse', 'main');
    const status = { commitId, ref: 'main', context: 'lockkeeper/acme', url: 'http://127.0.0.1:9/runs' };
    for (const state of ['pending', 'running', 'failure', 'error', 'canceled', 'success'] as const)
      await reports.status(access, ref, { ...status, state, description: 'x'.repeat(300) });
    const { state, statuses } = await gitea.api('GET', `/repos/acme/mono/commits/${commitId}/status`);
    expect([state, statuses]).toMatchObject(['success', [{ context: 'lockkeeper/acme', target_url: status.url }]]);
    const id = await reports.comment(access, ref, { number: 1, commentId: null, text: 'one' });
    expect(await reports.comment(access, ref, { number: 1, commentId: id, text: 'two' })).toBe(id);
    const comments = await gitea.api('GET', '/repos/acme/mono/issues/1/comments');
    expect(comments).toMatchObject([{ id: Number(id), body: 'two' }]);
    await gitea.api('DELETE', `/repos/acme/mono/issues/comments/${id}`);
    expect(await reports.comment(access, ref, { number: 1, commentId: id, text: 'three' })).not.toBe(id);
  });

  it('signs a person in with OAuth and PKCE', async () => {
    const client = await gitea.api('POST', '/user/applications/oauth2', {
      ...{ name: 'Lockkeeper', redirect_uris: [REDIRECT], confidential_client: true },
    });
    const app = { httpUrl: gitea.address, apiUrl: gitea.apiUrl, key: client.client_id, secret: client.client_secret };
    const verifier = 'v'.repeat(50);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const code = await gitea.approve(oauth.authorizeUrl(app, { state: 'state-1', redirectUri: REDIRECT, challenge }));
    const grant = { code, redirectUri: REDIRECT, verifier };
    await expect(oauth.exchange({ ...app, secret: 'x' }, grant, access.http)).rejects.toMatchObject({
      kind: 'refused',
    });
    const { accessToken, refreshToken, expiresIn } = await oauth.exchange(app, grant, access.http);
    expect(expiresIn).toBe(3600);
    const signedIn = { ...access, credential: { kind: 'oauth', token: accessToken } as const };
    expect(await provider.whoAmI(signedIn)).toMatchObject({ name: ADMINISTRATOR });
    expect(await provider.repository(signedIn, { identifier: 'acme/mono' })).toMatchObject(ref);
    expect(await hooks.ensure(signedIn, ref, { url: 'http://127.0.0.1:9/', secret: 's', hookId: null })).toMatch(
      /^\d+$/,
    );
    const url = gitea.cloneUrl('acme/mono', provider.gitCredentials(signedIn.credential));
    expect(await gitea.git(work, 'ls-remote', url, 'HEAD')).toContain('HEAD');
    const next = await oauth.refresh(app, refreshToken ?? '', access.http);
    expect(await provider.whoAmI({ ...access, credential: { kind: 'oauth', token: next.accessToken } })).toMatchObject({
      name: ADMINISTRATOR,
    });
    await expect(oauth.refresh(app, 'wrong', access.http)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('finds a renamed repository by its id and its old name, and reports to it', async () => {
    await gitea.api('PATCH', '/repos/acme/mono', { name: 'platform' });
    expect(await provider.repository(access, { providerId: ref.providerId })).toMatchObject({
      identifier: 'acme/platform',
    });
    expect(await provider.repository(access, ref)).toMatchObject({
      providerId: ref.providerId,
      identifier: 'acme/platform',
    });
    expect((await pulls.one(access, ref, 1))?.number).toBe(1);
    expect(await reports.comment(access, ref, { number: 1, commentId: null, text: 'renamed' })).toMatch(/^\d+$/);
    const { id } = await gitea.api('POST', '/orgs/acme/repos', { name: 'mono', private: true });
    await expect(pulls.open(access, ref, undefined)).rejects.toMatchObject({ kind: 'invalid' });
    const empty = { ...ref, providerId: String(id) };
    expect(await pulls.open(access, empty, undefined)).toEqual({ items: [], etag: null });
  });
});
