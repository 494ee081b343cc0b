import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AdapterBench,
  branchWith,
  errorOf,
  providerOf,
  resetBench,
  startBench,
} from '../../../../test/support/vcs/adapter-bench.ts';
import { ADAPTERS } from '../../../../test/support/vcs/adapters.ts';
import {
  type FakeProvider,
  type FakePull,
  type FakeRepository,
  NO_COMMIT,
} from '../../../../test/support/vcs/fake-github.ts';
import type { OAuthFlow, Provider, RawDelivery, ReportState, RepositoryRef } from './port.ts';
import { ProviderError } from './provider-error.ts';

const SECRET = 'hook-secret-1';

describe.each(ADAPTERS)('the adapter of $serviceProvider', (adapter) => {
  const provider = providerOf(adapter);
  const { pulls, hooks, reports } = provider;
  let bench: AdapterBench;
  let fake: FakeProvider;
  let repository: FakeRepository;
  let ref: RepositoryRef;
  const access: AdapterBench['access'] = (...of) => bench.access(...of);

  beforeAll(async () => {
    bench = await startBench(adapter);
    ({ fake, repository, ref } = bench);
  });
  beforeEach(() => resetBench(bench, adapter));
  afterAll(() => fake.stop());

  describe('account and repositories', () => {
    it('finds the account of a credential', async () => {
      expect(await provider.whoAmI(access())).toMatchObject({ name: 'ada' });
      await expect(provider.whoAmI(access('wrong-token'))).rejects.toMatchObject({ kind: 'refused' });
    });

    it('lists all repositories in pages, and searches them', async () => {
      const sibling = adapter.fullName.replace(/mono$/, '');
      for (let i = 0; i < 120; i++)
        fake.repositories.push({ ...repository, id: 1000 + i, fullName: `${sibling}r${i}` });
      const found = new Set<string>();
      for (let at: number | null = 1; at !== null; ) {
        const list: Awaited<ReturnType<Provider['repositories']>> = await provider.repositories(access(), {
          ...{ search: '', page: at },
        });
        for (const { identifier } of list.items) found.add(identifier);
        at = list.nextPage;
      }
      expect(found).toEqual(new Set(fake.repositories.map(({ fullName }) => fullName)));
      const { items, nextPage } = await provider.repositories(access(), { search: 'mono', page: 1 });
      expect([items.map(({ identifier }) => identifier), nextPage]).toEqual([[adapter.fullName], null]);
    });

    it('describes a repository, by its name and by its id', async () => {
      const found = await provider.repository(access(), { identifier: adapter.fullName });
      expect(found).toMatchObject({
        ...{ identifier: adapter.fullName, displayIdentifier: adapter.fullName, isPrivate: true },
        ...{ defaultBranch: 'main', gitUrl: encodeURI(repository.git.url) },
      });
      expect(URL.parse(found?.httpUrl ?? '')?.origin).toBe(fake.httpUrl);
      expect(await provider.repository(access(), ref)).toEqual(found);
      for (const identifier of ['', 'mono', '../x/y', `${adapter.fullName}-2`, `${adapter.fullName}/x`, ref.providerId])
        expect(await provider.repository(access(), { identifier })).toBeUndefined();
      const unknown = ref.providerId.replace(/\d\d(\}?)$/, '77$1');
      expect(await provider.repository(access(), { ...ref, providerId: unknown })).toBeUndefined();
    });

    it('follows a repository to its new name, and not its old name to another repository', async () => {
      const newName = `${adapter.fullName}-new`;
      fake.rename(repository, newName);
      const stranger = { ...repository, id: 901, fullName: adapter.fullName, oldNames: [], pulls: [], hooks: [] };
      fake.repositories.push(stranger);
      for (const key of [ref, ref])
        expect(await provider.repository(access(), key)).toMatchObject({ ...ref, identifier: newName });
      expect((await bench.refOf(adapter.fullName)).providerId).not.toBe(ref.providerId);
      await branchWith(stranger, 'feature/x');
      await fake.openPull(stranger, 'feature/x');
      const open = await pulls.open(access(), ref, undefined).catch(errorOf);
      expect(open instanceof ProviderError ? open.kind : open?.items).toSatisfy(
        (seen: unknown) => seen === 'invalid' || seen === 'rejected' || (Array.isArray(seen) && seen.length === 0),
      );
    });

    it('authenticates Git by the credential', () => {
      const credential = { kind: 'token', token: 'secret-1' } as const;
      expect(provider.gitCredentials(credential)).toEqual({ username: adapter.gitUser, password: 'secret-1' });
    });
  });

  describe('pull requests', () => {
    let own: FakePull;

    beforeEach(async () => {
      await branchWith(repository, 'feature/ü&b');
      own = await fake.openPull(repository, 'feature/ü&b');
    });

    it('describes a pull request of the same repository', async () => {
      const one = await pulls.one(access(), ref, own.number);
      expect(one).toMatchObject({
        ...{ number: 1, state: 'open', isDraft: false, title: own.title, body: 'Why', baseRef: 'main' },
        ...{ headRef: 'feature/ü&b', headId: own.headId },
        ...{ headRepositoryId: ref.providerId, baseRepositoryId: ref.providerId },
      });
      expect(URL.parse(one?.url ?? '')?.origin).toBe(fake.httpUrl);
      expect(one?.author.name).not.toBe('');
      expect([null, own.mergeBase]).toContain(one?.mergeBaseId);
      const items = (await pulls.open(access(), ref, undefined))?.items;
      // A list may have no merge base.
      expect(items?.map((each) => ({ ...each, mergeBaseId: one?.mergeBaseId }))).toEqual([one]);
      expect(await pulls.one(access(), ref, 99)).toBeUndefined();
    });

    it('tells a fork by its repository, also when that was deleted', async () => {
      const fork = await fake.fork(repository, 'eve');
      await branchWith(fork, 'feature/ü&b');
      const pull = await fake.openPull(repository, 'feature/ü&b', fork);
      for (const headRepository of [fork, null]) {
        pull.head = headRepository;
        const [listed] = ((await pulls.open(access(), ref, undefined))?.items ?? []).filter(
          ({ number }) => number === 2,
        );
        const one = await pulls.one(access(), ref, 2);
        for (const seen of [listed, one]) {
          expect(seen).toMatchObject({ headId: pull.headId, baseRepositoryId: ref.providerId });
          expect(seen?.headRepositoryId).not.toBe(ref.providerId);
          expect(seen?.headRepositoryId === null).toBe(headRepository === null);
        }
      }
    });

    it('knows drafts, merged and closed ones, and lists open ones only', async () => {
      own.isDraft = true;
      expect(await pulls.one(access(), ref, 1)).toMatchObject({ isDraft: true });
      own.state = 'closed';
      expect(await pulls.one(access(), ref, 1)).toMatchObject({ state: 'closed' });
      expect((await pulls.open(access(), ref, undefined))?.items).toEqual([]);
      own.isMerged = true;
      expect(await pulls.one(access(), ref, 1)).toMatchObject({ state: 'merged' });
    });

    it('lists 300 at most, each of them once', async () => {
      for (let i = 2; i <= 320; i++) repository.pulls.push({ ...own, number: i, updatedAt: i });
      const numbers = (await pulls.open(access(), ref, undefined))?.items.map(({ number }) => number) ?? [];
      expect([numbers.length, new Set(numbers).size]).toEqual([300, 300]);
      expect(Math.min(...numbers)).toBe(21);
    });

    it('notices that nothing has changed, where the provider has ETags', async () => {
      const etag = (await pulls.open(access(), ref, undefined))?.etag ?? undefined;
      if (etag === undefined) return;
      expect(await pulls.open(access(), ref, etag)).toBeUndefined();
      own.title = 'other';
      expect((await pulls.open(access(), ref, etag))?.items[0]).toMatchObject({ title: 'other' });
    });
  });

  describe('webhooks', () => {
    const received: RawDelivery[] = [];
    const receiver = createServer(async (request, response) => {
      received.push({ headers: flat(request.headers), body: await buffer(request) });
      response.writeHead(202).end();
    });
    let url: string;

    beforeEach(async () => {
      received.length = 0;
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks/vcs/a12b`;
    });

    afterEach(async () => {
      receiver.close();
      receiver.closeAllConnections();
      await once(receiver, 'close');
    });

    const ensure = (hookId: string | null, secret = SECRET) => hooks.ensure(access(), ref, { url, secret, hookId });

    it('makes one hook, changes it, makes it again, and removes it', async () => {
      await ensure(null);
      const count = repository.hooks.length;
      expect(repository.hooks.every((hook) => hook.url === url && hook.secret.endsWith(SECRET))).toBe(true);
      // A server that was killed after the creation does not know the id. Some providers replace a hook by a new one.
      const found = await ensure(null);
      expect(repository.hooks).toHaveLength(count);
      const id = await ensure(found, 'hook-secret-2');
      expect(repository.hooks).toHaveLength(count);
      expect(repository.hooks.every((hook) => hook.secret.endsWith('hook-secret-2'))).toBe(true);
      repository.hooks.length = 0;
      const again = await ensure(id);
      expect(repository.hooks).toHaveLength(count);
      for (let times = 0; times < 2; times++) await hooks.remove(access(), ref, again);
      expect(repository.hooks).toEqual([]);
    });

    it('reads pushes, tags, deleted branches and pull requests, and proves them', async () => {
      await ensure(null);
      await branchWith(repository, 'feature/x');
      const pull = await fake.openPull(repository, 'feature/x');
      const [before, after] = ['1'.repeat(40), pull.headId];
      await fake.deliverPush(repository, 'refs/heads/feature/x', before, after);
      await fake.deliverPush(repository, 'refs/tags/v1.0', NO_COMMIT, after);
      await fake.deliverPush(repository, 'refs/heads/old', before, NO_COMMIT);
      await fake.deliverPull(repository, pull, 'opened');
      await fake.deliverPull(repository, pull, 'synchronize');
      const push = { kind: 'push', repositoryId: ref.providerId };
      const pulled = { kind: 'pull', repositoryId: ref.providerId, number: 1 };
      expect(received.flatMap((delivery) => hooks.parse(delivery))).toMatchObject([
        { ...push, ref: 'refs/heads/feature/x', before, after },
        { ...push, ref: 'refs/tags/v1.0', before: null, after },
        { ...push, ref: 'refs/heads/old', before, after: null },
        ...[pulled, pulled],
      ]);
      for (const delivery of received) {
        expect(hooks.prove(delivery, SECRET)).toBe(true);
        for (const secret of ['', 'other', `${SECRET}x`]) expect(hooks.prove(delivery, secret)).toBe(false);
        expect(hooks.prove({ ...delivery, headers: {} }, SECRET)).toBe(false);
        expect(hooks.prove({ ...delivery, headers: {} }, '')).toBe(false);
        const changed = { ...delivery, body: Buffer.concat([delivery.body, Buffer.from(' ')]) };
        expect(hooks.prove(changed, SECRET)).toBe(adapter.sendsSecret === true);
        expect(hooks.deliveryId(delivery)).toBe(hooks.deliveryId({ ...delivery }));
      }
      expect(new Set(received.map((delivery) => hooks.deliveryId(delivery))).size).toBe(received.length);
    });

    it('refuses deliveries that it cannot read', async () => {
      await ensure(null);
      await fake.deliverPush(repository, 'refs/heads/main', NO_COMMIT, '1'.repeat(40));
      const { headers, body } = received[0] as RawDelivery;
      const text = Buffer.from(body).toString();
      const bad = ['', 'null', '[]', '{', '<html>', '{"__proto__":{}}', text.slice(0, -1), text.replaceAll('"', "'")];
      for (const wrong of [...bad, '{"push":7,"repository":7,"resource":7,"ref":7,"eventType":7,"object_kind":7}']) {
        const unreadable = { headers, body: Buffer.from(wrong) };
        expect(hooks.deliveryId(unreadable)).toMatch(/^[\x21-\x7e]{1,200}$/);
        const seen = parsed(unreadable);
        expect(seen instanceof ProviderError ? seen.kind : seen).toSatisfy(
          (each: unknown) => each === 'invalid' || (Array.isArray(each) && each.length === 0),
        );
      }
    });

    function parsed(delivery: RawDelivery): unknown {
      try {
        return hooks.parse(delivery);
      } catch (error) {
        return error;
      }
    }
  });

  describe('reports', () => {
    const report = {
      ...{
        commitId: 'c'.repeat(40),
        ref: 'main',
        context: 'lockkeeper/acme',
        url: 'https://lockkeeper.example/runs/1',
      },
      pullNumber: null,
    };

    it('sets each state, the same one twice, and no failure as a success', async () => {
      const states: ReportState[] = [
        'pending',
        'running',
        'running',
        'success',
        'failure',
        'error',
        'canceled',
        'canceled',
      ];
      const sent = new Map<ReportState, string>();
      for (const state of states) {
        await reports.status(access(), ref, { ...report, state, description: 'x'.repeat(2000) });
        sent.set(state, fake.statuses.at(-1)?.body.state);
      }
      const of = (...wanted: ReportState[]) => wanted.map((state) => sent.get(state));
      expect(of('pending', 'running', 'failure', 'error', 'canceled')).not.toContain(sent.get('success'));
      expect(of('pending', 'running')).not.toContain(sent.get('failure'));
      expect(of('pending', 'running')).not.toContain(sent.get('canceled'));
      for (const { of: commit, body } of fake.statuses) {
        expect(commit).toBe(report.commitId);
        expect(body.description.length).toBeLessThanOrEqual(reports.limits.description);
      }
    });

    it('takes a context of any length', async () => {
      const context = `lockkeeper/${'o'.repeat(80)}/${'w'.repeat(90)}`;
      await reports.status(access(), ref, { ...report, context, state: 'success', description: '' });
      expect(fake.statuses).toHaveLength(1);
    });

    it('writes one comment and updates it, and writes it again if it was deleted', async () => {
      const comment = (commentId: string | null, text: string) =>
        reports.comment(access(), ref, { number: 1, commentId, text });
      const id = await comment(null, 'first');
      expect(await comment(id, 'second')).toBe(id);
      expect(await comment(id, 'third')).toBe(id);
      expect(fake.comments).toHaveLength(1);
      expect(JSON.stringify(fake.comments)).toContain('third');
      fake.comments.length = 0;
      await comment(id, 'x'.repeat(reports.limits.comment + 10));
      expect(fake.comments).toHaveLength(1);
      expect(JSON.stringify(fake.comments[0]?.body).length).toBeLessThan(reports.limits.comment + 100);
    });
  });

  describe.runIf(provider.oauth)('sign-in', () => {
    const flow = provider.oauth as OAuthFlow;
    const redirectUri = 'https://lockkeeper.example/auth/1/callback';
    const verifier = flow?.hasPkce ? 'v'.repeat(50) : null;

    const app = () => {
      const { apiUrl, httpUrl } = access();
      return { apiUrl, httpUrl, key: fake.oauth.clientId, secret: fake.oauth.clientSecret };
    };

    async function codeOf(): Promise<string> {
      const challenge = verifier && createHash('sha256').update(verifier).digest('base64url');
      const page = flow.authorizeUrl(app(), { state: 'state-1', redirectUri, challenge });
      const response = await fetch(bench.rerouted(page), { redirect: 'manual' });
      const target = new URL(response.headers.get('location') ?? '');
      expect([`${target.origin}${target.pathname}`, target.searchParams.get('state')]).toEqual([
        redirectUri,
        'state-1',
      ]);
      return target.searchParams.get('code') ?? '';
    }

    it('exchanges a code once, and renews the tokens, each refresh token once', async () => {
      const { http } = access();
      const code = await codeOf();
      const grant = await flow.exchange(app(), { code, redirectUri, verifier }, http);
      expect(await provider.whoAmI(access(grant.accessToken, 'oauth'))).toMatchObject({ name: 'ada' });
      const again = flow.exchange(app(), { code, redirectUri, verifier }, http);
      await expect(again).rejects.toMatchObject({ kind: 'refused' });
      if (grant.refreshToken === null) return expect(grant.expiresIn).toBeNull();
      expect(grant.expiresIn).toBe(3600);
      const next = await flow.refresh(app(), grant.refreshToken, http);
      expect(next.refreshToken).not.toBe(grant.refreshToken);
      await expect(flow.refresh(app(), grant.refreshToken, http)).rejects.toMatchObject({ kind: 'refused' });
    });

    it('refuses a wrong client, and another verifier where there is PKCE', async () => {
      const { http } = access();
      const wrong = flow.exchange({ ...app(), secret: 'wrong' }, { code: await codeOf(), redirectUri, verifier }, http);
      await expect(wrong).rejects.toMatchObject({ kind: 'refused' });
      if (!flow.hasPkce) return;
      const other = flow.exchange(app(), { code: await codeOf(), redirectUri, verifier: 'w'.repeat(50) }, http);
      await expect(other).rejects.toMatchObject({ kind: 'refused' });
    });
  });
});

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
