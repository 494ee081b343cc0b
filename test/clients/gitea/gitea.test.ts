import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
  let repositories = 0;
  const deliveries: RawDelivery[] = [];

  beforeAll(async () => {
    gitea = await startGitea();
    access = accessOf(gitea.token);
    await gitea.api('POST', '/orgs', { username: 'acme' });
    receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      deliveries.push({ headers: request.headers as RawDelivery['headers'], body: Buffer.concat(chunks) });
      response.writeHead(202).end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });

  // Each test has its own repository, and a folder with its main branch.
  beforeEach(async () => {
    const name = `mono-${++repositories}`;
    ref = await createRepository(name);
    work = join(gitea.folder, name);
    mkdirSync(work);
    await gitea.git(work, 'init', '--quiet', '--initial-branch=main');
    await commit('main.tf');
    await push('main');
    // Gitea reads it a while after the push.
    const branch = async () => (await provider.repository(access, ref))?.defaultBranch;
    await expect.poll(branch).toBe('main');
    deliveries.splice(0);
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

  async function createRepository(name: string): Promise<RepositoryRef> {
    const { id } = await gitea.api('POST', '/orgs/acme/repos', { name, default_branch: 'main', private: true });
    return { providerId: String(id), identifier: `acme/${name}` };
  }

  /** Opens a pull request of a new branch. Returns its number. */
  async function openPull(head: string, title: string): Promise<number> {
    await gitea.git(work, 'checkout', '--quiet', '-b', head, 'main');
    await commit(`${head}.tf`);
    await push(head);
    // Gitea reads new branches a while after the push.
    let number = 0;
    const open = async () => {
      const created = gitea.api('POST', `/repos/${ref.identifier}/pulls`, { head, base: 'main', title, body: 'B' });
      number = await created.then(
        (pull) => pull.number,
        () => 0,
      );
      return number;
    };
    await expect.poll(open).toBeGreaterThan(0);
    return number;
  }

  async function commit(file: string): Promise<string> {
    writeFileSync(join(work, file), `# ${file}\n`);
    await gitea.git(work, 'add', '--all');
    await gitea.git(work, 'commit', '--quiet', '--message', file);
    return gitea.git(work, 'rev-parse', 'HEAD');
  }

  function push(refspec: string, fullName = ref.identifier, credential?: { username: string; password: string }) {
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
    expect(await provider.repository(accessOf(limited), { identifier: ref.identifier })).toBeUndefined();
  });

  it('finds repositories, empty ones included', async () => {
    const empty = await createRepository('empty');
    const described = { displayIdentifier: 'acme/empty', defaultBranch: null, isPrivate: true };
    const urls = { httpUrl: `${gitea.address}/acme/empty`, gitUrl: `${gitea.address}/acme/empty.git` };
    expect(await provider.repository(access, { identifier: 'acme/empty' })).toEqual({
      ...empty,
      ...described,
      ...urls,
    });
    expect(await provider.repository(access, { identifier: 'acme/none' })).toBeUndefined();
    for (let i = 0; i < 51; i++) await createRepository(`many-${i}`);
    const first = await provider.repositories(access, { search: 'many', page: 1 });
    expect([first.items.length, first.nextPage]).toEqual([50, 2]);
    const second = await provider.repositories(access, { search: 'many', page: 2 });
    expect([second.items.length, second.nextPage]).toEqual([1, null]);
    expect((await provider.repositories(access, { search: '', page: 1 })).items.length).toBe(50);
  });

  it('accepts its credential for Git', async () => {
    const url = gitea.cloneUrl(ref.identifier, provider.gitCredentials(access.credential));
    expect(await gitea.git(work, 'ls-remote', url, 'refs/heads/main')).toContain('refs/heads/main');
  });

  it('delivers pushes, tags, deletions and pull requests, with proof', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const wanted = { url, secret: 'another', hookId: null };
    const id = await hooks.ensure(access, ref, wanted);
    const next = await hooks.ensure(access, ref, { ...wanted, secret: 'one more' });
    const hookId = await hooks.ensure(access, ref, { ...wanted, secret: SECRET, hookId: next });
    const made = await gitea.api('GET', `/repos/${ref.identifier}/hooks`);
    expect([id !== next, made]).toMatchObject([true, [{ id: Number(hookId), active: true, config: { url } }]]);
    const before = await gitea.git(work, 'rev-parse', 'HEAD');
    const after = await commit('second.tf');
    await push('main');
    const sender = { name: ADMINISTRATOR, avatarUrl: expect.any(String), url: `${gitea.address}/${ADMINISTRATOR}` };
    const compareUrl = `${gitea.address}/${ref.identifier}/compare/${before}...${after}`;
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

    const number = await openPull('feature', 'WIP: T');
    const headId = await gitea.git(work, 'rev-parse', 'HEAD');
    await expect.poll(hints).toContainEqual({ kind: 'pull', repositoryId, number, sender });
    expect(await pulls.one(access, ref, number)).toEqual({
      ...{
        number,
        state: 'open',
        isDraft: true,
        title: 'WIP: T',
        body: 'B',
        url: `${gitea.address}/${ref.identifier}/pulls/${number}`,
      },
      ...{
        headRef: 'feature',
        headId,
        headRepositoryId: repositoryId,
        baseRef: 'main',
        baseRepositoryId: repositoryId,
      },
      ...{ mergeBaseId: after, author: sender },
    });
    const opened = deliveries.length;
    const newest = await commit('feature-2.tf');
    await push('feature');
    const later = () => deliveries.slice(opened).flatMap((each) => hooks.parse(each));
    await expect.poll(later).toContainEqual(expect.objectContaining({ kind: 'pull', number }));
    await expect.poll(async () => (await pulls.one(access, ref, number))?.headId).toBe(newest);
    await hooks.remove(access, ref, hookId);
    await hooks.remove(access, ref, hookId);
    expect(await gitea.api('GET', `/repos/${ref.identifier}/hooks`)).toEqual([]);
  });

  it('tells pull requests of forks, and of people without write access', async () => {
    const eve = await gitea.createUser('eve', ['write:repository', 'write:issue', 'read:user']);
    await gitea.api('PUT', `/repos/${ref.identifier}/collaborators/eve`, { permission: 'read' });
    const credential = { username: 'eve', password: eve };
    const headers = { authorization: `token ${eve}`, 'content-type': 'application/json' };
    const asEve = async (path: string, body: object) => {
      const response = await fetch(gitea.apiUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { id: number; number: number };
    };
    const fork = await asEve(`/repos/${ref.identifier}/forks`, {});
    await gitea.git(work, 'checkout', '--quiet', '-b', 'evil', 'main');
    const evilId = await commit('evil.tf');
    await push('evil', ref.identifier.replace('acme', 'eve'), credential);
    const ofFork = await asEve(`/repos/${ref.identifier}/pulls`, { head: 'eve:evil', base: 'main', title: 'F' });
    // AGit: a user who may only read the repository pushes a commit that becomes a pull request.
    await gitea.git(work, 'commit', '--quiet', '--allow-empty', '--message', 'agit');
    await push('HEAD:refs/for/main/agit', ref.identifier, credential);
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
    await gitea.api('DELETE', `/repos/${ref.identifier.replace('acme', 'eve')}`);
    expect(await pulls.one(access, ref, ofFork.number)).toMatchObject({ headRepositoryId: null });
  });

  it('closes and merges pull requests', async () => {
    const [merged, closed] = [await openPull('one', 'T'), await openPull('two', 'T')];
    const merge = () =>
      gitea.api('POST', `/repos/${ref.identifier}/pulls/${merged}/merge`, { Do: 'merge' }).then(() => 'merged', String);
    await expect.poll(merge).toBe('merged');
    await gitea.api('PATCH', `/repos/${ref.identifier}/pulls/${closed}`, { state: 'closed' });
    expect(await pulls.one(access, ref, merged)).toMatchObject({ state: 'merged', isDraft: false });
    expect(await pulls.one(access, ref, closed)).toMatchObject({ state: 'closed' });
    expect((await pulls.open(access, ref, undefined))?.items).toEqual([]);
    expect(await pulls.one(access, ref, 9999)).toBeUndefined();
  });

  it('shows statuses and one comment', async () => {
    const commitId = await gitea.git(work, 'rev-parse', 'main');
    const status = { commitId, ref: 'main', context: 'lockkeeper/acme', url: 'http://127.0.0.1:9/runs' };
    for (const state of ['pending', 'running', 'failure', 'error', 'canceled', 'success'] as const)
      await reports.status(access, ref, { ...status, state, description: 'x'.repeat(300) });
    const { state, statuses } = await gitea.api('GET', `/repos/${ref.identifier}/commits/${commitId}/status`);
    expect([state, statuses]).toMatchObject(['success', [{ context: 'lockkeeper/acme', target_url: status.url }]]);
    const number = await openPull('feature', 'T');
    const id = await reports.comment(access, ref, { number, commentId: null, text: 'one' });
    expect(await reports.comment(access, ref, { number, commentId: id, text: 'two' })).toBe(id);
    const comments = await gitea.api('GET', `/repos/${ref.identifier}/issues/${number}/comments`);
    expect(comments).toMatchObject([{ id: Number(id), body: 'two' }]);
    await gitea.api('DELETE', `/repos/${ref.identifier}/issues/comments/${id}`);
    expect(await reports.comment(access, ref, { number, commentId: id, text: 'three' })).not.toBe(id);
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
    expect(await provider.repository(signedIn, { identifier: ref.identifier })).toMatchObject(ref);
    expect(await hooks.ensure(signedIn, ref, { url: 'http://127.0.0.1:9/', secret: 's', hookId: null })).toMatch(
      /^\d+$/,
    );
    const url = gitea.cloneUrl(ref.identifier, provider.gitCredentials(signedIn.credential));
    expect(await gitea.git(work, 'ls-remote', url, 'HEAD')).toContain('HEAD');
    const next = await oauth.refresh(app, refreshToken ?? '', access.http);
    expect(await provider.whoAmI({ ...access, credential: { kind: 'oauth', token: next.accessToken } })).toMatchObject({
      name: ADMINISTRATOR,
    });
    await expect(oauth.refresh(app, 'wrong', access.http)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('finds a renamed repository by its id and its old name, and reports to it', async () => {
    const number = await openPull('feature', 'T');
    await gitea.api('PATCH', `/repos/${ref.identifier}`, { name: 'platform' });
    expect(await provider.repository(access, ref)).toMatchObject({
      identifier: 'acme/platform',
    });
    expect(await provider.repository(access, ref)).toMatchObject({
      providerId: ref.providerId,
      identifier: 'acme/platform',
    });
    expect((await pulls.one(access, ref, number))?.number).toBe(number);
    expect(await reports.comment(access, ref, { number, commentId: null, text: 'renamed' })).toMatch(/^\d+$/);
    // Somebody takes the old name.
    const other = await createRepository(ref.identifier.slice('acme/'.length));
    await expect(pulls.open(access, ref, undefined)).rejects.toMatchObject({ kind: 'invalid' });
    expect(await pulls.open(access, other, undefined)).toEqual({ items: [], etag: null });
  });
});
