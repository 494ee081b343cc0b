import { expect, vi } from 'vitest';
import { type FakeProvider, type FakeRepository, fakeGitea } from '../../support/vcs/fake-github.ts';
import type { Bench } from './console.ts';
import { makeOf } from './organization.ts';

/** Options of a server that may connect to providers on this machine. */
export const WITH_PROVIDERS = { vcs: { allowedAddresses: ['127.0.0.1'] } } as const;

const PATIENCE = { timeout: 30_000, interval: 100 };

/** A provider with repositories, and the connection of `acme` to it. */
export interface Connected {
  readonly provider: FakeProvider;
  /** Id of the token of the connection. */
  readonly token: string;
  repository(name: string): Promise<FakeRepository>;
  /** Creates a workspace that follows a repository, and waits for the run of its newest commit. Returns its id. */
  follow(name: string, repository: FakeRepository, attributes?: object): Promise<string>;
  /** Looks up the repository of a workspace, and waits for the verdict about its newest event. */
  lookUp(workspaceId: string): Promise<void>;
}

/** Starts a provider, and connects `acme` to it. Call `provider.stop()` at the end. */
export async function connectProvider(on: Bench): Promise<Connected> {
  const { server } = on;
  const provider = await fakeGitea();
  provider.git.credential = { username: 'x-access-token', password: provider.token };
  const get = async (path: string) => (await server.user('GET', `/api/v2${path}`)).body.data;
  const client = await makeOf(on)('/organizations/acme/oauth-clients', 'oauth-clients', {
    ...{ name: 'Forge', 'service-provider': 'gitea', 'http-url': provider.httpUrl, 'api-url': provider.apiUrl },
    'oauth-token-string': provider.token,
  });
  const { relationships } = await get(`/oauth-clients/${client}`);
  await vi.waitUntil(
    async () => (await get(`/oauth-clients/${client}`)).attributes['connection-status'] === 'ok',
    PATIENCE,
  );
  const { id: token } = relationships['oauth-tokens'].data[0];
  const newest = async (id: string) => (await get(`/workspaces/${id}/vcs-events`))[0]?.id;
  return {
    provider,
    token,
    repository: (name) => provider.createRepository(`acme/${name}`),
    follow: async (name, { fullName }, attributes = {}) => {
      const id = await makeOf(on)('/organizations/acme/workspaces', 'workspaces', {
        ...{ name, 'execution-mode': 'remote', 'queue-all-runs': true },
        'vcs-repo': { identifier: fullName, 'oauth-token-id': token },
        ...attributes,
      });
      const looked = async () => (await get(`/workspaces/${id}/vcs-link`)).attributes['looked-up-at'];
      await vi.waitUntil(looked, PATIENCE);
      const runs = async () => (await get(`/workspaces/${id}/runs`)).length;
      await vi.waitUntil(runs, PATIENCE);
      return id;
    },
    lookUp: async (id) => {
      // Events of the same moment have no order.
      server.advance(1);
      const before = await newest(id);
      expect((await server.user('POST', `/api/v2/workspaces/${id}/actions/look-up`)).status).toBe(202);
      await vi.waitUntil(async () => (await newest(id)) !== before, PATIENCE);
    },
  };
}
