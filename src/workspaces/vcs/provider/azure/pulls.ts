import Type from 'typebox';
import { senderOf } from '../delivery.ts';
import { optional, optionalText } from '../http/optional.ts';
import { reader } from '../http/untrusted.ts';
import type { ProviderAccess, Pull, Pulls, RepositoryRef } from '../port.ts';
import { checkedPull, openPulls } from '../pulls.ts';
import { bodyText, linkUrl, titleText } from '../text.ts';
import {
  azureIdOf,
  branchName,
  namesOf,
  organizationApi,
  organizationUrl,
  providerIdOf,
  repositoryPath,
} from './api.ts';

const pullRequest = Type.Object({
  pullRequestId: Type.Integer({ minimum: 1 }),
  status: Type.String(),
  isDraft: optional(Type.Boolean()),
  title: Type.String(),
  description: optionalText,
  sourceRefName: Type.String(),
  targetRefName: Type.String(),
  lastMergeSourceCommit: optional(Type.Object({ commitId: Type.String() })),
  forkSource: optional(Type.Object({ repository: optional(Type.Object({ id: Type.String() })) })),
  repository: Type.Object({ id: Type.String() }),
  createdBy: optional(Type.Object({ displayName: optionalText, imageUrl: optionalText })),
});
const readOne = reader('pull request', pullRequest);
const readMany = reader('list of pull requests', Type.Object({ value: Type.Array(pullRequest) }));

export const azurePulls: Pulls = {
  async open(access, repository) {
    const id = azureIdOf(repository);
    const items = await openPulls(async (page, size) => {
      const { json } = await organizationApi(access, id.organization).send(
        'GET',
        `${repositoryPath(id)}/pullrequests`,
        {
          query: { 'searchCriteria.status': 'active', $top: size, $skip: (page - 1) * size },
        },
      );
      return readMany(json).value.map((found) => pullOf(access, found, repository));
    });
    return { items, etag: null };
  },

  async one(access, repository, number) {
    const id = azureIdOf(repository);
    const path = `${repositoryPath(id)}/pullrequests/${number}`;
    const found = await organizationApi(access, id.organization).find('GET', path);
    return found && (pullOf(access, readOne(found.json), repository) ?? undefined);
  },
};

/** Returns the pull request; null while Azure DevOps has not tried to merge it, because its head is unknown until then. */
function pullOf(access: ProviderAccess, found: ReturnType<typeof readOne>, repository: RepositoryRef): Pull | null {
  if (!found.lastMergeSourceCommit) return null;
  const { organization } = azureIdOf(repository);
  const baseRepositoryId = providerIdOf({ organization, id: found.repository.id });
  const pull: Pull = {
    number: found.pullRequestId,
    state: found.status === 'active' ? 'open' : found.status === 'completed' ? 'merged' : 'closed',
    isDraft: found.isDraft ?? false,
    title: titleText(found.title),
    body: bodyText(found.description),
    url: pageOf(access, repository, found.pullRequestId),
    headRef: branchName(found.sourceRefName),
    headId: found.lastMergeSourceCommit.commitId,
    baseRef: branchName(found.targetRefName),
    headRepositoryId: headRepositoryOf(found, organization, baseRepositoryId),
    baseRepositoryId,
    mergeBaseId: null,
    author: senderOf({ name: found.createdBy?.displayName, avatarUrl: found.createdBy?.imageUrl }),
  };
  return checkedPull(pull, repository);
}

/** Returns the repository of the change; null for a fork that was deleted. */
function headRepositoryOf(
  { forkSource }: ReturnType<typeof readOne>,
  organization: string,
  own: string,
): string | null {
  if (!forkSource) return own;
  return forkSource.repository ? providerIdOf({ organization, id: forkSource.repository.id }) : null;
}

function pageOf({ httpUrl }: ProviderAccess, { identifier }: RepositoryRef, number: number): string {
  const names = namesOf(identifier);
  if (!names) return '';
  const [project, name] = [names.project, names.name].map(encodeURIComponent);
  const base = organizationUrl(httpUrl, names.organization);
  return linkUrl(`${base}/${project}/_git/${name}/pullrequest/${number}`) ?? '';
}
