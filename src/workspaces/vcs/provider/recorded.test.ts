import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Hooks, RawDelivery } from './port.ts';
import { findProviderKind } from './providers.ts';

const PAYLOADS = new URL('../../../../test/support/vcs/payloads/', import.meta.url);

function hooksOf(serviceProvider: string): Hooks {
  return findProviderKind(serviceProvider, 'token')?.provider.hooks as Hooks;
}

function delivery(file: string, headers: RawDelivery['headers'] = {}): RawDelivery {
  return { headers, body: readFileSync(new URL(`${file}.json`, PAYLOADS)) };
}

describe('recorded deliveries of GitLab', () => {
  const hooks = hooksOf('gitlab_hosted');
  const parse = (file: string) => hooks.parse(delivery(`gitlab/${file}`));
  const [before, after] = ['95790bf891e76fee5e1747ab589903a6a1f80f22', 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7'];

  it('are read: pushes of project hooks and system hooks', () => {
    const compareUrl = `http://example.com/mike/diaspora/-/compare/${before}...${after}`;
    const push = { kind: 'push', repositoryId: '15', ref: 'refs/heads/master', before, after, compareUrl };
    expect(parse('push')).toMatchObject([{ ...push, sender: { name: 'John Smith' } }]);
    expect(parse('system-push')).toMatchObject([{ ...push, sender: { name: 'John Smith' } }]);
  });

  it('are read: tags', () => {
    const tag = { kind: 'push', repositoryId: '1', ref: 'refs/tags/v1.0.0', before: null, compareUrl: null };
    const after = '82b3d5ae55f7080f1e6022629cdb57bfae7cccc7';
    for (const file of ['tag', 'client-go-tag-push']) expect(parse(file)).toMatchObject([{ ...tag, after }]);
  });

  it('are read: merge requests', () => {
    const avatarUrl = 'http://www.gravatar.com/avatar/e64c7d89f26bd1972efa854d13d7dd61?s=40&d=identicon';
    const pull = { kind: 'pull', repositoryId: '14', number: 1 };
    expect(parse('merge-request')).toEqual([{ ...pull, sender: { name: 'root', avatarUrl, url: null } }]);
    expect(parse('client-go-merge-request')).toEqual([{ ...pull, sender: { name: 'user1', avatarUrl, url: null } }]);
  });

  it('are read: a renamed project; other events are none', () => {
    expect(parse('system-project-renamed')).toEqual([{ kind: 'repository', repositoryId: '73' }]);
    expect(parse('release')).toEqual([]);
  });

  it('have ids: of the delivery, of the event, else their hash', () => {
    const ids = { 'idempotency-key': 'a-1', 'x-gitlab-event-uuid': 'b-2' };
    const id = (headers: RawDelivery['headers']) => hooks.deliveryId(delivery('gitlab/push', headers));
    expect(id(ids)).toBe('a-1');
    expect(id({ ...ids, 'idempotency-key': 'with space' })).toBe('b-2');
    expect(id({ ...ids, 'idempotency-key': 'x'.repeat(201) })).toBe('b-2');
    expect(id({})).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('recorded deliveries of Bitbucket Cloud', () => {
  const hooks = hooksOf('bitbucket_hosted');
  const parse = (file: string, event: string) =>
    hooks.parse(delivery(`bitbucket-cloud/${file}`, { 'x-event-key': event }));
  const repositoryId = '{673a6070-3421-46c9-9d48-90745f7bfe8e}';
  const emma = { name: 'emmap1', url: 'https://api.bitbucket.org/%7Ba54f16da-24e9-4d7f-a3a7-b1ba2cd98aa3%7D' };

  it('are read', () => {
    expect(parse('repo-push', 'repo:push')).toMatchObject([
      {
        ...{ kind: 'push', repositoryId, ref: 'refs/heads/name-of-branch', sender: emma },
        before: '1e65c05c1d5171631d92438a13901ca7dae9618c',
        after: '709d658dc5b6d6afcd46049c2f332ee3f515a67d',
      },
    ]);
    for (const event of ['created', 'updated', 'fulfilled:merged', 'rejected:declined']) {
      const [key = '', file = key] = event.split(':');
      const hints = parse(`pull-request-${file}`, `pullrequest:${key}`);
      expect(hints).toMatchObject([{ kind: 'pull', repositoryId, number: 1, sender: emma }]);
    }
    expect(parse('repo-updated', 'repo:updated')).toEqual([{ kind: 'repository', repositoryId }]);
    expect(parse('issue-created', 'issue:created')).toEqual([]);
    expect(parse('repo-push', 'pullrequest:approved')).toEqual([]);
  });

  it('are read: several changes, a deleted tag, and an abbreviated commit, which is left out', () => {
    const target = { type: 'commit', hash: 'd3022fc0ca3d' };
    const changes = [
      { old: { type: 'tag', name: 'v1', target: { hash: 'a'.repeat(40) } }, new: null },
      { old: null, new: { type: 'branch', name: 'feature/x', target } },
      { old: null, new: null },
    ];
    const body = Buffer.from(JSON.stringify({ repository: { uuid: repositoryId }, push: { changes } }));
    expect(hooks.parse({ headers: { 'x-event-key': 'repo:push' }, body })).toMatchObject([
      { ref: 'refs/tags/v1', before: 'a'.repeat(40), after: null },
      { ref: 'refs/heads/feature/x', before: null, after: null },
    ]);
  });
});

describe('recorded deliveries of Bitbucket Data Center', () => {
  const hooks = hooksOf('bitbucket_data_center');
  const parse = (file: string) => hooks.parse(delivery(`bitbucket-server/${file}`));
  const sender = { name: 'gopher', avatarUrl: null, url: 'https://server.bitbucket.local/users/gopher' };

  it('are read', () => {
    const push = {
      kind: 'push',
      repositoryId: '4',
      ref: 'refs/heads/feature/wip',
      after: null,
      compareUrl: null,
      sender,
    };
    expect(parse('repo-refs-changed')).toEqual([{ ...push, before: '32a0b8a740c2963c6f56bd8baf3dc05683d299e0' }]);
    for (const file of ['pr-opened', 'pr-modified', 'pr-merged', 'pr-declined'])
      expect(parse(file)).toMatchObject([{ kind: 'pull', repositoryId: '4', sender: { name: 'gopher' } }]);
    expect(parse('repo-modified')).toEqual([{ kind: 'repository', repositoryId: '4' }]);
    expect(parse('pr-comment-added')).toEqual([]);
  });

  it('are read: the ping of a test', () => {
    const ping = { headers: { 'x-event-key': 'diagnostics:ping' }, body: Buffer.from('{"test":true}') };
    expect(hooks.parse(ping)).toEqual([]);
  });
});

describe('recorded deliveries of Azure DevOps', () => {
  const hooks = hooksOf('ado_services');
  const parse = (file: string, headers: RawDelivery['headers'] = {}) => hooks.parse(delivery(`azure/${file}`, headers));
  const id = '278d5cd2-584d-4b63-824a-2ba458937249';

  it('are read', () => {
    const [before, after] = ['aad331d8d3b131fa9ae03cf5e53965b51942618a', '33b55f7cb7e7e245323987634f960cf4a6e6bc74'];
    const page = 'https://dev.azure.com/fabrikam-fiber-inc/DefaultCollection/_git/Fabrikam-Fiber-Git';
    expect(parse('git.push')).toEqual([
      {
        ...{ kind: 'push', repositoryId: id, ref: 'refs/heads/main', before, after },
        sender: { name: 'Jamal Hartnett', avatarUrl: null, url: null },
        compareUrl: `${page}/branchCompare?baseVersion=GC${before}&targetVersion=GC${after}`,
      },
    ]);
    for (const event of ['created', 'updated', 'merged'])
      expect(parse(`git.pullrequest.${event}`)).toMatchObject([
        { kind: 'pull', repositoryId: '4bc14d40-c903-45e2-872e-0462c7748079', number: 1 },
      ]);
    expect(parse('build.complete')).toEqual([]);
  });

  it('have the organization from the header of our subscription, if it is about the same repository', () => {
    const named = (value: string) => parse('git.push', { 'x-lockkeeper-repository': value })[0];
    expect(named(`fabrikam/${id}`)).toMatchObject({ repositoryId: `fabrikam/${id}` });
    expect(named(`fabrikam/${id.replace('2', '3')}`)).toMatchObject({ repositoryId: id });
  });

  it('have the id of their body', () => {
    expect(hooks.deliveryId(delivery('azure/git.push'))).toBe('03c164c2-8912-4d5e-8009-3707d5f83734');
    expect(hooks.deliveryId({ headers: {}, body: Buffer.from('{}') })).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are proved by the credentials of the subscription', () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    const proves = (headers: RawDelivery['headers']) => hooks.prove(delivery('azure/git.push', headers), 'secret-1');
    expect(proves(basic('lockkeeper:secret-1'))).toBe(true);
    for (const wrong of ['lockkeeper:secret-2', 'other:secret-1', 'secret-1', 'lockkeeper:'])
      expect(proves(basic(wrong))).toBe(false);
    expect(proves({ authorization: 'Bearer secret-1' })).toBe(false);
  });
});

describe('recorded deliveries', () => {
  it('of one provider are none of another', () => {
    const push = delivery('github/push', { 'x-github-event': 'push' });
    expect(hooksOf('bitbucket_hosted').parse(push)).toEqual([]);
    expect(hooksOf('gitlab_hosted').parse(push)).toEqual([]);
    expect(hooksOf('bitbucket_data_center').parse(push)).toEqual([]);
    expect(() => hooksOf('ado_server').parse(push)).toThrow('cannot be read');
  });
});
