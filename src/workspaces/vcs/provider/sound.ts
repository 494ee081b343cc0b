import type { OpenPulls, Provider, ProviderRepository, Pull, Pulls } from './port.ts';
import { ProviderError } from './provider-error.ts';
import { linkUrl, truncated } from './text.ts';

/** @limit name of a repository, or its id, that a provider sends, bytes -> the repository cannot be used */
const MAX_NAME = 1024;
/** @limit name of a branch that a provider sends, bytes -> it is truncated, so no workspace follows it */
const MAX_BRANCH = 1024;

/**
 * Returns the provider with answers that the server can store and open: no adapter has to check them. PostgreSQL stores
 * no NUL, no larger number and no longer name in an index.
 */
export function sound(provider: Provider): Provider {
  const { pulls } = provider;
  return {
    ...provider,
    async repositories(access, query) {
      const page = await provider.repositories(access, query);
      return { ...page, items: page.items.flatMap((found) => soundRepository(found) ?? []) };
    },
    async repository(access, of) {
      const found = await provider.repository(access, of);
      if (found === undefined) return undefined;
      const usable = soundRepository(found);
      if (usable !== undefined) return usable;
      throw new ProviderError('invalid', 'The provider sent a repository without a usable name or URL');
    },
    ...(pulls && { pulls: soundPulls(pulls) }),
  };
}

function soundRepository(found: ProviderRepository): ProviderRepository | undefined {
  const { providerId, identifier, displayIdentifier, httpUrl, gitUrl, defaultBranch } = found;
  if (![providerId, identifier, displayIdentifier].every(isName)) return undefined;
  if (linkUrl(httpUrl) === null || linkUrl(gitUrl) === null) return undefined;
  return { ...found, defaultBranch: defaultBranch && truncated(defaultBranch, MAX_BRANCH) };
}

const isName = (text: string): boolean => text !== '' && text === truncated(text, MAX_NAME);

function soundPulls(pulls: Pulls): Pulls {
  return {
    ...pulls,
    async open(access, repository, etag): Promise<OpenPulls | undefined> {
      const open = await pulls.open(access, repository, etag);
      return open && { ...open, items: open.items.filter(isNumbered).map(soundPull) };
    },
    async one(access, repository, number) {
      const pull = await pulls.one(access, repository, number);
      return pull && isNumbered(pull) ? soundPull(pull) : undefined;
    },
  };
}

const isNumbered = ({ number }: Pull): boolean => Number.isSafeInteger(number);

const soundPull = (pull: Pull): Pull => ({
  ...pull,
  headRef: truncated(pull.headRef, MAX_BRANCH),
  baseRef: truncated(pull.baseRef, MAX_BRANCH),
});
