import Type from 'typebox';
import { senderOf } from '../delivery.ts';
import { optional, optionalText } from '../http/optional.ts';
import type { Rest } from '../http/rest.ts';
import { reader } from '../http/untrusted.ts';
import type { Pull, Pulls, RepositoryRef } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { checkedPull, openPulls } from '../pulls.ts';
import { bodyText, linkUrl, titleText } from '../text.ts';
import { bitbucketApi, link, repositoryPath } from './api.ts';

const side = Type.Object({
  branch: Type.Object({ name: Type.String() }),
  commit: optional(Type.Object({ hash: Type.String() })),
  repository: optional(Type.Object({ uuid: Type.String() })),
});
const pullRequest = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  state: Type.String(),
  draft: optional(Type.Boolean()),
  title: Type.String(),
  description: optionalText,
  summary: optional(Type.Object({ raw: optionalText })),
  links: Type.Object({ html: link }),
  source: side,
  destination: side,
  author: optional(
    Type.Object({
      nickname: optionalText,
      display_name: optionalText,
      links: optional(Type.Object({ avatar: optional(link), html: optional(link) })),
    }),
  ),
});
type PullRequest = ReturnType<typeof readOne>;
const readOne = reader('pull request', pullRequest);
const readMany = reader('list of pull requests', Type.Object({ values: Type.Array(pullRequest) }));
const readCommits = reader(
  'list of commits',
  Type.Object({ values: Type.Array(Type.Object({ hash: Type.String() })) }),
);
const readBranches = reader(
  'list of branches',
  Type.Object({
    values: Type.Array(Type.Object({ name: Type.String(), target: Type.Object({ hash: Type.String() }) })),
  }),
);

/** Branches in one query, so that its URL stays short. */
const BRANCHES = 10;

export const bitbucketPulls: Pulls = {
  async open(access, repository) {
    const api = bitbucketApi(access);
    const items = await openPulls(async (page, size) => {
      const { json } = await api.send('GET', `${repositoryPath(repository)}/pullrequests`, {
        query: { state: 'OPEN', sort: '-updated_on', pagelen: size, page },
      });
      const found = readMany(json).values;
      const heads = await headsOf(api, repository, found);
      return await inOrder(found, async (one) =>
        pullOf(one, heads.get(one) ?? (await headOf(api, repository, one)), repository),
      );
    });
    return { items, etag: null };
  },

  async one(access, repository, number) {
    const api = bitbucketApi(access);
    const found = await api.find('GET', `${repositoryPath(repository)}/pullrequests/${number}`);
    if (!found) return undefined;
    const pull = readOne(found.json);
    return pullOf(pull, await headOf(api, repository, pull), repository);
  },
};

/**
 * Finds the head commits of pull requests, whose own hashes are abbreviated. One request finds those of several branches
 * of the repository; forks are not among them.
 */
async function headsOf(
  api: Rest,
  repository: RepositoryRef,
  pulls: readonly PullRequest[],
): Promise<Map<PullRequest, string>> {
  const heads = new Map<PullRequest, string>();
  const own = pulls.filter(({ source }) => source.repository?.uuid === repository.providerId);
  for (let start = 0; start < own.length; start += BRANCHES) {
    const some = own.slice(start, start + BRANCHES);
    const q = some.map(({ source }) => `name = ${JSON.stringify(source.branch.name)}`).join(' OR ');
    const { json } = await api.send('GET', `${repositoryPath(repository)}/refs/branches`, {
      query: { q, pagelen: BRANCHES, fields: 'values.name,values.target.hash' },
    });
    const hashes = new Map(readBranches(json).values.map(({ name, target }) => [name, target.hash]));
    for (const pull of some) {
      const hash = hashes.get(pull.source.branch.name);
      if (hash?.startsWith(pull.source.commit?.hash ?? ' ')) heads.set(pull, hash);
    }
  }
  return heads;
}

/** Finds the head commit of one pull request, which its list of commits has in full. */
async function headOf(api: Rest, repository: RepositoryRef, { id }: PullRequest): Promise<string> {
  const { json } = await api.send('GET', `${repositoryPath(repository)}/pullrequests/${id}/commits`, {
    query: { pagelen: 1, fields: 'values.hash' },
  });
  const [newest] = readCommits(json).values;
  if (newest) return newest.hash;
  throw new ProviderError('invalid', `The provider sent pull request ${id} without a commit`);
}

/** Converts items one after the other, so that their requests are not sent at once. */
async function inOrder<T, U>(items: readonly T[], convert: (item: T) => Promise<U>): Promise<U[]> {
  const converted: U[] = [];
  for (const item of items) converted.push(await convert(item));
  return converted;
}

function pullOf(found: PullRequest, headId: string, repository: RepositoryRef): Pull {
  const { author, source, destination } = found;
  const pull: Pull = {
    number: found.id,
    state: found.state === 'OPEN' ? 'open' : found.state === 'MERGED' ? 'merged' : 'closed',
    isDraft: found.draft ?? false,
    title: titleText(found.title),
    body: bodyText(found.summary?.raw ?? found.description),
    url: linkUrl(found.links.html.href) ?? '',
    headRef: source.branch.name,
    headId,
    baseRef: destination.branch.name,
    headRepositoryId: source.repository?.uuid ?? null,
    baseRepositoryId: destination.repository?.uuid ?? '',
    mergeBaseId: null,
    author: senderOf({
      name: author?.nickname ?? author?.display_name,
      avatarUrl: author?.links?.avatar?.href,
      url: author?.links?.html?.href,
    }),
  };
  return checkedPull(pull, repository);
}
