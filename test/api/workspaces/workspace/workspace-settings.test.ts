import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';

describe.each(databaseKinds)('attributes of a new workspace on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  function create(attributes: object, relationships?: object) {
    const body = workspaceBody({ name: `w-${++names}`, ...attributes }, relationships);
    return acme.owner.call('POST', `/organizations/${acme.name}/workspaces`, body);
  }

  test.each<readonly [attributes: object, pointer: string]>([
    [{ name: '' }, '/data/attributes/name'],
    [{ name: 'two words' }, '/data/attributes/name'],
    [{ name: 'dot.ted' }, '/data/attributes/name'],
    [{ name: 'zürich' }, '/data/attributes/name'],
    [{ name: 'nul\u0000' }, '/data/attributes/name'],
    [{ name: 'x'.repeat(91) }, '/data/attributes/name'],
    [{ name: 'line\n' }, '/data/attributes/name'],
    [{ name: null }, '/data/attributes/name'],
    [{ name: ['a'] }, '/data/attributes/name'],
    [{ description: 'a\u0000b' }, '/data/attributes/description'],
    [{ description: 'x'.repeat(4097) }, '/data/attributes/description'],
    [{ 'auto-apply': 'true' }, '/data/attributes/auto-apply'],
    [{ 'auto-apply': 1 }, '/data/attributes/auto-apply'],
    [{ 'execution-mode': 'Remote' }, '/data/attributes/execution-mode'],
    [{ 'trigger-prefixes': 'a' }, '/data/attributes/trigger-prefixes'],
    [{ 'trigger-prefixes': [null] }, '/data/attributes/trigger-prefixes/0'],
    [{ 'trigger-prefixes': Array(201).fill('a') }, '/data/attributes/trigger-prefixes'],
    [{ 'source-url': 'javascript:alert(1)' }, '/data/attributes/source-url'],
    [{ 'source-url': 'nowhere' }, '/data/attributes/source-url'],
    [{ 'auto-destroy-at': 'tomorrow' }, '/data/attributes/auto-destroy-at'],
    [{ 'auto-destroy-at': '2026-02-30T00:00:00Z' }, '/data/attributes/auto-destroy-at'],
    [{ 'auto-destroy-at': '9999-12-31T23:59:59-23:59' }, '/data/attributes/auto-destroy-at'],
    [{ 'auto-destroy-at': 1764000000 }, '/data/attributes/auto-destroy-at'],
    ...['0d', '0000h', '12345d', '5m', 'd', '-1d', '1.5h', ' 1d', '1d\n'].map(
      (duration) =>
        [{ 'auto-destroy-activity-duration': duration }, '/data/attributes/auto-destroy-activity-duration'] as const,
    ),
    [{ 'engine-version': 'nonexisting' }, '/data/attributes/engine-version'],
    [{ 'terraform-version': '1.2.x' }, '/data/attributes/engine-version'],
    [{ 'engine-version': '1.2.3', 'terraform-version': '1.2.4' }, '/data/attributes/terraform-version'],
    [{ 'execution-mode': 'remote', operations: true }, '/data/attributes/operations'],
    [{ 'execution-mode': 'agent' }, '/data/attributes/agent-pool-id'],
    [{ 'execution-mode': 'agent', 'agent-pool-id': 'apool-1' }, '/data/attributes/agent-pool-id'],
    [{ 'execution-mode': 'remote', 'agent-pool-id': 'apool-1' }, '/data/attributes/agent-pool-id'],
    [{ operations: true, 'agent-pool-id': 'apool-1' }, '/data/attributes/agent-pool-id'],
    [{ 'agent-pool-id': 'apool-1' }, '/data/attributes/agent-pool-id'],
    [{ 'setting-overwrites': { 'execution-mode': true } }, '/data/attributes/execution-mode'],
    [{ 'trigger-prefixes': ['a'], 'trigger-patterns': ['b'] }, '/data/attributes/trigger-patterns'],
    [{ 'project-remote-state': true, 'global-remote-state': true }, '/data/attributes/project-remote-state'],
    [{ 'vcs-repo': { identifier: 'acme/infra' } }, '/data/attributes/vcs-repo'],
    [{ 'vcs-repo': { 'oauth-token-id': 'ot-1' } }, '/data/attributes/vcs-repo'],
    [{ 'vcs-repo': { branch: 'main' } }, '/data/attributes/vcs-repo'],
    [{ 'vcs-repo': 'acme/infra' }, '/data/attributes/vcs-repo'],
    [{ 'vcs-repo': { identifier: 'a/b', 'oauth-token-id': 'ot-1' } }, '/data/attributes/vcs-repo/oauth-token-id'],
    [
      { 'vcs-repo': { identifier: 'a/b', 'github-app-installation-id': 'ghain-1' } },
      '/data/attributes/vcs-repo/github-app-installation-id',
    ],
    [
      { 'vcs-repo': { identifier: 'a/b', 'oauth-token-id': 'ot-1', 'github-app-installation-id': 'ghain-1' } },
      '/data/attributes/vcs-repo',
    ],
    [
      { 'vcs-repo': { identifier: 'a/b', 'oauth-token-id': 'ot-1', 'tags-regex': 'v.*' }, 'trigger-patterns': ['x'] },
      '/data/attributes/vcs-repo/tags-regex',
    ],
    [
      {
        'vcs-repo': { identifier: 'a/b', 'oauth-token-id': 'ot-1', 'tags-regex': 'v.*' },
        'file-triggers-enabled': true,
      },
      '/data/attributes/vcs-repo/tags-regex',
    ],
  ])('%j is refused', async (attributes, pointer) => {
    const answer = await create(attributes);
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.body.errors[0]).toMatchObject({ status: '422', title: 'invalid attribute', source: { pointer } });
  });

  test('all errors are returned at once', async () => {
    const answer = await create({ 'engine-version': 'x', 'source-url': 'y', 'execution-mode': 'agent' });
    expect(answer.body.errors.map(({ source }: never) => source)).toEqual([
      { pointer: '/data/attributes/agent-pool-id' },
      { pointer: '/data/attributes/engine-version' },
      { pointer: '/data/attributes/source-url' },
    ]);
  });

  test.each([
    '1.5.7',
    '0.11.0',
    '1.12.4',
    '1.6.0-beta1',
    '~> 1.0.0',
    '~> 1',
    '>= 1.2, < 2.0, != 1.5.1',
    '1.5',
    'latest',
  ])('the engine version %j is accepted under either name', async (version) => {
    for (const name of ['engine-version', 'terraform-version']) {
      const { body } = await create({ [name]: version });
      expect(body.data.attributes).toMatchObject({ 'engine-version': version, 'terraform-version': version });
    }
  });

  test.each([
    [{}, 'remote', false],
    [{ 'execution-mode': 'local' }, 'local', true],
    [{ 'execution-mode': 'remote' }, 'remote', true],
    [{ operations: false }, 'local', true],
    [{ operations: true }, 'remote', true],
    [{ 'execution-mode': 'local', 'setting-overwrites': { 'execution-mode': false } }, 'remote', false],
    [
      { 'execution-mode': 'local', 'setting-overwrites': { 'execution-mode': true, 'agent-pool': true } },
      'local',
      true,
    ],
    [{ 'execution-mode': 'local', 'agent-pool-id': '' }, 'local', true],
    [{ 'agent-pool-id': null }, 'remote', false],
  ])('%j runs %s, as its own setting: %j', async (attributes, mode, own) => {
    const { body } = await create(attributes);
    expect(body.data.attributes).toMatchObject({
      'execution-mode': mode,
      operations: mode !== 'local',
      'setting-overwrites': { 'execution-mode': own, 'agent-pool': own },
    });
  });

  test('without a mode of its own a workspace has that of its organization', async () => {
    const local = await newOrganization(api, { 'default-execution-mode': 'local' });
    const id = await local.workspace('inherits');
    const { body } = await local.owner.call('GET', `/workspaces/${id}`);
    expect(body.data.attributes).toMatchObject({
      'execution-mode': 'local',
      operations: false,
      'setting-overwrites': { 'execution-mode': false },
    });
  });

  test('a destruction is planned by time or by inactivity, in the past too', async () => {
    const past = await create({ 'auto-destroy-at': '2025-01-01T00:00:00Z' });
    expect(past.body.data.attributes).toMatchObject({
      'auto-destroy-at': '2025-01-01T00:00:00.000Z',
      'inherits-project-auto-destroy': false,
    });
    const idle = await create({ 'auto-destroy-activity-duration': '14d', 'auto-destroy-at': null });
    expect(idle.body.data.attributes).toMatchObject({
      'auto-destroy-activity-duration': '14d',
      'auto-destroy-at': new Date(api.now() + 14 * 24 * 3_600_000).toISOString(),
    });
  });
});
