import { createHash, randomUUID } from 'node:crypto';
import { createTenantFetch } from '../../../src/outbound/tenant-fetch.ts';
import { ProviderClients } from '../../../src/workspaces/vcs/provider/http/provider-clients.ts';
import type {
  Provider,
  ProviderAccess,
  ProviderHttp,
  RepositoryRef,
} from '../../../src/workspaces/vcs/provider/port.ts';
import { ProviderError } from '../../../src/workspaces/vcs/provider/provider-error.ts';
import { findProviderKind } from '../../../src/workspaces/vcs/provider/providers.ts';
import type { AdapterCase } from './adapters.ts';
import type { FakeProvider, FakeRepository } from './fake-github.ts';

/** Hosts of Microsoft, for which a fake Azure DevOps stands, too. */
const MICROSOFT = /^https:\/\/(login\.microsoftonline\.com|app\.vssps\.visualstudio\.com)/;
const clients = new ProviderClients({ fetchFor: () => createTenantFetch(['127.0.0.1']), clock: Date.now });

/** Returns the adapter of a case. */
export function providerOf({ serviceProvider }: AdapterCase): Required<Provider> {
  return findProviderKind(serviceProvider, 'token')?.provider as Required<Provider>;
}

/** An adapter, the fake of its provider, and a repository there. */
export interface AdapterBench {
  readonly fake: FakeProvider;
  readonly repository: FakeRepository;
  readonly ref: RepositoryRef;
  /** Returns an access with rate limits of its own. */
  access(token?: string, kind?: 'token' | 'oauth'): ProviderAccess;
  /** Finds a repository by its name. */
  refOf(identifier: string): Promise<RepositoryRef>;
  /** Returns a URL of the fake for one of Microsoft. */
  rerouted(url: string): string;
}

export async function startBench(adapter: AdapterCase): Promise<AdapterBench> {
  const provider = providerOf(adapter);
  const fake = await adapter.start();
  const rerouted = (url: string): string => url.replace(MICROSOFT, fake.httpUrl);
  const access: AdapterBench['access'] = (token = fake.token, kind = 'token') => {
    const urls = { apiUrl: fake.apiUrl + (adapter.apiPath ?? ''), httpUrl: fake.httpUrl + (adapter.apiPath ?? '') };
    const client = clients.clientOf({ id: randomUUID(), ...urls }, { writePauseMs: 0 });
    const http: ProviderHttp = { send: (request) => client.send({ ...request, url: rerouted(request.url) }) };
    return { ...urls, http, credential: { kind, token } };
  };
  const refOf = async (identifier: string): Promise<RepositoryRef> => {
    const found = await provider.repository(access(), { identifier });
    if (!found) throw new Error(`no repository ${identifier}`);
    return { providerId: found.providerId, identifier: found.identifier };
  };
  const repository = await fake.createRepository(adapter.fullName);
  return { fake, repository, ref: await refOf(adapter.fullName), access, refOf, rerouted };
}

/** Forgets everything but the repository. */
export function resetBench({ fake, repository }: AdapterBench, { fullName }: AdapterCase): void {
  fake.repositories.splice(0, fake.repositories.length, Object.assign(repository, { fullName }));
  for (const list of [repository.oldNames, repository.pulls, repository.hooks, fake.statuses, fake.comments])
    list.length = 0;
}

/** Creates a branch with a commit of its own, unless it exists. */
export async function branchWith({ git }: FakeRepository, name: string): Promise<void> {
  if ((await git.git('branch', '--list', name)) !== '') return;
  await git.git('checkout', '--quiet', '-B', name);
  await git.commit({ [`${createHash('sha256').update(name).digest('hex')}.tf`]: '# more\n' }, name);
}

/** Returns the error of a provider. @throws any other error */
export function errorOf(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  throw error;
}
