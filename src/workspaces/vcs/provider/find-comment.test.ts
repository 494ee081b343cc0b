import { afterEach, describe, expect, test } from 'vitest';
import { type FakeProvider, fakeGitea, fakeGitHub } from '../../../../test/support/vcs/fake-github.ts';
import {
  fakeAzure,
  fakeBitbucketCloud,
  fakeBitbucketServer,
  fakeGitLab,
} from '../../../../test/support/vcs/fake-others.ts';
import { createTenantFetch } from '../../../outbound/tenant-fetch.ts';
import { firstComment } from './find-comment.ts';
import { ProviderClients } from './http/provider-clients.ts';
import { findProviderKind } from './providers.ts';

let fake: FakeProvider | undefined;
afterEach(() => fake?.stop());

describe.each([
  ['github', fakeGitHub, 'acme/mono'],
  ['gitea', fakeGitea, 'acme/mono'],
  ['gitlab_hosted', fakeGitLab, 'acme/platform/mono'],
  ['bitbucket_hosted', fakeBitbucketCloud, 'acme/mono'],
  ['bitbucket_data_center', fakeBitbucketServer, 'ACME/mono'],
  ['ado_services', fakeAzure, 'acme/app/_git/mono'],
] as const)('the comments of %s', (serviceProvider, start, fullName) => {
  test('are searched for the one that begins with a text', async () => {
    fake = await start();
    await fake.createRepository(fullName);
    const { apiUrl, httpUrl, token } = fake;
    const provider = findProviderKind(serviceProvider, 'token')?.provider;
    const clients = new ProviderClients({ fetchFor: () => createTenantFetch(['127.0.0.1']), clock: Date.now });
    const http = clients.clientOf({ id: 'ot-1', apiUrl, httpUrl }, { writePauseMs: 0 });
    const access = { apiUrl, httpUrl, http, credential: { kind: 'token', token } as const };
    const repository = await provider?.repository(access, { identifier: fullName });
    const reports = provider?.reports;
    if (repository === undefined || reports?.findComment === undefined) throw new Error('the adapter lacks a part');
    const write = (text: string, number = 1) => reports.comment(access, repository, { number, commentId: null, text });
    const find = (beginning: string) => reports.findComment?.(access, repository, 1, beginning);
    expect(await find('[mark]: # (1)')).toBeNull();
    await write('[mark]: # (1)\n\nof another pull request', 2);
    for (let i = 0; i < 60; i++) await write(`comment ${i} with [mark]: # (1) inside`);
    const id = await write('[mark]: # (1)\n\nours');
    expect(await find('[mark]: # (1)\n\n')).toBe(id);
    expect(await find('[mark]: # (2)')).toBeNull();
  });
});

test('the search ends after 500 comments', async () => {
  let pages = 0;
  const load = async () => {
    pages++;
    return Array.from({ length: 50 }, () => ({ id: '1', text: 'other' }));
  };
  expect(await firstComment('mark', load)).toBeNull();
  expect(pages).toBe(10);
});
