import { attribute, is, resourceOf, toOne } from '../../resource/index.ts';
import type { ProviderRepository } from '../provider/port.ts';
import type { Branch } from './browse.ts';

/** A repository that workspaces may follow by a token. */
export const AuthorizedRepositoryResource = resourceOf<ProviderRepository, [tokenId: string]>()('authorized-repos', {
  id: ({ identifier }) => identifier,
  attributes: {
    name: attribute(is.text, 'identifier'),
    'display-identifier': attribute(is.text, 'displayIdentifier'),
  },
  relationships: { 'oauth-token': toOne('oauth-tokens', (_, tokenId) => tokenId) },
});

/** A repository that workspaces may follow by an installation of a GitHub App. */
export const AppRepositoryResource = resourceOf<ProviderRepository, [installationId: string]>()('github-app-repos', {
  id: ({ providerId }) => providerId,
  attributes: {
    name: attribute(is.text, 'displayIdentifier'),
    identifier: attribute(is.text, 'identifier'),
    private: attribute(is.flag, 'isPrivate'),
    'installation-id': attribute(is.text, (_, installationId) => installationId),
  },
});

/** An owner of repositories at a provider, by name. */
export const OwnerResource = resourceOf<{ readonly name: string }>()('vcs-organization', {
  id: ({ name }) => name,
  attributes: { name: attribute(is.text, 'name') },
});

/** A repository with this identifier, or none. */
export interface RepositoryCheck {
  readonly identifier: string;
  readonly found: ProviderRepository | undefined;
}

export const RepositoryCheckResource = resourceOf<RepositoryCheck>()('vcs-repo-check', {
  id: ({ identifier }) => identifier,
  attributes: {
    exists: attribute(is.flag, ({ found }) => found !== undefined),
    identifier: attribute(is.text, ({ found, identifier }) => found?.identifier ?? identifier),
    'display-identifier': attribute(is.text, ({ found, identifier }) => found?.displayIdentifier ?? identifier),
    'default-branch': attribute(is.textOrNull, ({ found }) => found?.defaultBranch ?? null),
  },
});

export const BranchResource = resourceOf<Branch>()('vcs-branches', {
  id: ({ name }) => name,
  attributes: { name: attribute(is.text, 'name'), 'is-default': attribute(is.flag, 'isDefault') },
});

/** A folder of a branch. */
export const FolderResource = resourceOf<{ readonly path: string }>()('vcs-tree', {
  id: ({ path }) => path,
  attributes: { path: attribute(is.text, 'path') },
});
