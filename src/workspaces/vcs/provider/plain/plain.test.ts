import { describe, expect, it } from 'vitest';
import type { ProviderAccess, ProviderHttp } from '../port.ts';
import { findProviderKind } from '../providers.ts';
import { plainProvider } from './plain.ts';

const http: ProviderHttp = {
  send: () => {
    throw new Error('a plain Git server has no API');
  },
};

function access(httpUrl = 'https://git.example.com/team', token = 'secret-1'): ProviderAccess {
  return { apiUrl: httpUrl, httpUrl, http, credential: { kind: 'token', token } };
}

const urlOf = async (identifier: string, httpUrl?: string) =>
  (await plainProvider.repository(access(httpUrl), { identifier }))?.gitUrl;

describe('a plain Git server', () => {
  it('is the provider "git", and has neither pull requests, hooks, reports nor a sign-in', () => {
    expect(findProviderKind('git', 'token')).toMatchObject({ source: 'git' });
    const { pulls, hooks, reports, oauth } = plainProvider;
    expect([pulls, hooks, reports, oauth]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('has no list of repositories', async () => {
    expect(await plainProvider.repositories(access(), { search: '', page: 1 })).toEqual({ items: [], nextPage: null });
    expect(await plainProvider.whoAmI(access(undefined, 'ada:secret'))).toEqual({ name: 'ada', scopes: [] });
  });

  it('knows a repository by its URL, however people write it', async () => {
    const found = await plainProvider.repository(access(), { identifier: 'infra/net.git' });
    expect(found).toEqual({
      ...{ providerId: 'https://git.example.com/team/infra/net.git', identifier: 'infra/net.git' },
      ...{ displayIdentifier: 'infra/net.git', httpUrl: 'https://git.example.com/team/infra/net.git' },
      ...{ gitUrl: 'https://git.example.com/team/infra/net.git', defaultBranch: null, isPrivate: true },
    });
    const spellings = [
      ...['/infra/net.git', 'infra//net.git/', 'https://git.example.com/team/infra/net.git/'],
      ...['HTTPS://GIT.example.com:443/team/infra/net.git', 'https://git.example.com/team/./infra/net.git?a=b#c'],
    ];
    for (const spelling of spellings)
      expect(await plainProvider.repository(access(), { identifier: spelling })).toEqual(found);
    expect(await plainProvider.repository(access('https://git.example.com/team/'), found as never)).toEqual(found);
  });

  it('encodes names once', async () => {
    expect(await urlOf('My App/a?b')).toBe('https://git.example.com/team/My%20App/a%3Fb');
    expect(await urlOf('My%20App/x')).toBe('https://git.example.com/team/My%20App/x');
    expect(await urlOf('100%/x')).toBe('https://git.example.com/team/100%25/x');
  });

  it('reaches no other server, and nothing beside the URL of the connection', async () => {
    const outside = [
      ...['', '/', '..', '../other', 'a/../../other', '%2e%2e/other', 'https://git.example.com/other/a.git'],
      ...['https://evil.example/team/a.git', '//evil.example/team/a', 'http://git.example.com/team/a.git'],
      ...['https://git.example.com:8443/team/a.git', 'https://u:p@git.example.com/team/a.git', 'ssh://git@x/team/a'],
      ...['https://git.example.com/teams/a.git', 'file:///etc/passwd', 'https://git.example.com\\@evil.example/team/a'],
    ];
    for (const identifier of outside) {
      const url = await urlOf(identifier);
      if (url !== undefined) expect(url.startsWith('https://git.example.com/team/')).toBe(true);
    }
    for (const identifier of ['', '..', '../other', '%2e%2e/other', 'https://evil.example/team/a.git'])
      expect(await urlOf(identifier)).toBeUndefined();
    await expect(urlOf('a', 'no url')).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('takes a user name from the credential', () => {
    const credentials = (token: string) => plainProvider.gitCredentials({ kind: 'token', token });
    expect(credentials('secret-1')).toEqual({ username: 'git', password: 'secret-1' });
    expect(credentials('ada:se:cret')).toEqual({ username: 'ada', password: 'se:cret' });
  });
});
