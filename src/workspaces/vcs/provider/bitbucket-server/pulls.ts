import Type from 'typebox';
import { senderOf } from '../delivery.ts';
import { optional, optionalText } from '../http/optional.ts';
import { reader } from '../http/untrusted.ts';
import type { Pull, Pulls, RepositoryRef } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { checkedPull, openPulls } from '../pulls.ts';
import { bodyText, linkUrl, titleText } from '../text.ts';
import { pathOfName, serverApi } from './api.ts';

export const links = optional(Type.Object({ self: optional(Type.Array(Type.Object({ href: optionalText }))) }));
const ref = Type.Object({
  id: Type.String(),
  latestCommit: Type.String(),
  repository: optional(Type.Object({ id: Type.Integer() })),
});
const pullRequest = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  description: optionalText,
  state: Type.String(),
  draft: optional(Type.Boolean()),
  fromRef: ref,
  toRef: ref,
  author: optional(Type.Object({ user: optional(Type.Object({ name: optionalText, links })) })),
  links,
});
const readOne = reader('pull request', pullRequest);
const readMany = reader('list of pull requests', Type.Object({ values: Type.Array(pullRequest) }));

export const serverPulls: Pulls = {
  mergeRef: (number) => `refs/pull-requests/${number}/merge`,
  async open(access, repository) {
    const api = serverApi(access);
    const items = await openPulls(async (page, size) => {
      const { json } = await api.send('GET', `${pathOf(repository)}/pull-requests`, {
        query: { state: 'OPEN', order: 'NEWEST', limit: size, start: (page - 1) * size },
      });
      return readMany(json).values.map((found) => pullOf(found, repository));
    });
    return { items, etag: null };
  },

  async one(access, repository, number) {
    const found = await serverApi(access).find('GET', `${pathOf(repository)}/pull-requests/${number}`);
    return found && pullOf(readOne(found.json), repository);
  },
};

/** Returns the path by name. Pull requests say to which repository they belong, so that `checkedPull` notices another one. */
function pathOf({ identifier }: RepositoryRef): string {
  const path = pathOfName(identifier);
  if (path === undefined) throw new ProviderError('rejected', 'The name of the repository is not PROJECT/repository');
  return path;
}

function pullOf(found: ReturnType<typeof readOne>, repository: RepositoryRef): Pull {
  const { fromRef, toRef, author } = found;
  const pull: Pull = {
    number: found.id,
    state: found.state === 'OPEN' ? 'open' : found.state === 'MERGED' ? 'merged' : 'closed',
    isDraft: found.draft ?? false,
    title: titleText(found.title),
    body: bodyText(found.description),
    url: linkUrl(found.links?.self?.[0]?.href) ?? '',
    headRef: withoutPrefix(fromRef.id),
    headId: fromRef.latestCommit,
    baseRef: withoutPrefix(toRef.id),
    headRepositoryId: fromRef.repository ? String(fromRef.repository.id) : null,
    baseRepositoryId: String(toRef.repository?.id),
    mergeBaseId: null,
    author: senderOf({ name: author?.user?.name, url: author?.user?.links?.self?.[0]?.href }),
  };
  return checkedPull(pull, repository);
}

const withoutPrefix = (ref: string): string => ref.replace(/^refs\/heads\//, '');
