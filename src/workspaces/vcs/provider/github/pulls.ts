import Type, { type Static } from 'typebox';
import { isTooLarge } from '../http/failures.ts';
import { hasNextPage, pageOrItems } from '../http/pages.ts';
import { reader } from '../http/untrusted.ts';
import type { OpenPulls, ProviderAccess, Pull, Pulls, RepositoryRef } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { anotherRepository, isCommitId, MAX_OPEN, withoutRepetitions } from '../pulls.ts';
import { bodyText, linkUrl, titleText } from '../text.ts';
import { call, pathOf } from './api.ts';
import type { Dialect } from './dialect.ts';
import { userOf, userSchema } from './sender.ts';

/** Small, because each pull request describes two repositories and has a text of up to 64 KiB. */
const PAGE_SIZE = 20;
const MAX_PAGES = MAX_OPEN / PAGE_SIZE;

const ref = Type.String({ maxLength: 1024 });
const text = Type.Union([Type.String(), Type.Null()]);
const repository = Type.Union([Type.Object({ id: Type.Integer({ minimum: 0 }) }), Type.Null()]);

const pullSchema = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  state: Type.String(),
  title: text,
  body: Type.Optional(text),
  html_url: Type.String(),
  draft: Type.Optional(Type.Boolean()),
  merged: Type.Optional(Type.Boolean()),
  merged_at: Type.Optional(text),
  merge_base: Type.Optional(text),
  user: Type.Optional(userSchema),
  head: Type.Object({ ref, sha: Type.String({ maxLength: 64 }), repo: Type.Optional(repository) }),
  base: Type.Object({ ref, repo: Type.Object({ id: Type.Integer({ minimum: 0 }) }) }),
});
const readPull = reader('pull request', pullSchema);
const readTarget = reader(
  'repository',
  Type.Object({
    id: Type.Optional(Type.Integer()),
    empty: Type.Optional(Type.Boolean()),
    has_pull_requests: Type.Optional(Type.Boolean()),
  }),
);
const readList = reader('list of pull requests', Type.Array(Type.Unknown(), { maxItems: 100 }));

export function pullsOf(dialect: Dialect): Pulls {
  return {
    mergeRef: (number) => `refs/pull/${number}/merge`,
    open: (access, repository, etag) => openPulls(dialect, access, repository, etag),
    async one(access, repository, number) {
      const { status, json } = await call(dialect, access, `${pathOf(repository)}/pulls/${number}`);
      return status === 404 ? undefined : toPull(json, repository);
    },
  };
}

/**
 * Loads the open pull requests. Their ETag consists of those of all pages: a pull request that is closed may be on the
 * last page only.
 */
async function openPulls(
  dialect: Dialect,
  access: ProviderAccess,
  repository: RepositoryRef,
  etag: string | undefined,
): Promise<OpenPulls | undefined> {
  const known = etagsOf(etag);
  if (known.length > 0 && (await isUnchanged(dialect, access, repository, known))) return undefined;
  const items: Pull[] = [];
  const etags: string[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const loaded = await loadPage(dialect, access, repository, page);
    items.push(...loaded.items);
    etags.push(loaded.etag);
    if (!loaded.hasNext) break;
  }
  return {
    items: withoutRepetitions(items),
    etag: etags.every((tag) => tag !== '') ? JSON.stringify(etags) : null,
  };
}

async function isUnchanged(
  dialect: Dialect,
  access: ProviderAccess,
  repository: RepositoryRef,
  etags: readonly string[],
): Promise<boolean> {
  for (const [index, etag] of etags.entries()) {
    const query = pageQuery(dialect, index + 1, PAGE_SIZE);
    const { status } = await call(dialect, access, `${pathOf(repository)}/pulls`, { query, etag }).catch((error) => {
      if (isTooLarge(error)) return { status: 200 };
      throw error;
    });
    if (status !== 304) return false;
  }
  return true;
}

async function loadPage(dialect: Dialect, access: ProviderAccess, repository: RepositoryRef, page: number) {
  let [etag, hasNext] = ['', true];
  const values = await pageOrItems(page, PAGE_SIZE, async (at, size) => {
    const query = pageQuery(dialect, at, size);
    const { status, headers, json } = await call(dialect, access, `${pathOf(repository)}/pulls`, { query });
    if (status === 404) return await noPulls(dialect, access, repository);
    if (size === PAGE_SIZE) [etag, hasNext] = [headers.etag ?? '', hasNextPage(headers)];
    return readList(json);
  });
  return {
    items: values.flatMap((value) => toPull(value, repository) ?? []),
    etag,
    hasNext: hasNext && values.length > 0,
  };
}

/**
 * Gitea answers 404 if the repository is empty or has its pull requests turned off.
 * @throws ProviderError unless that is so
 */
async function noPulls(dialect: Dialect, access: ProviderAccess, repository: RepositoryRef): Promise<readonly []> {
  const { status, json } = await call(dialect, access, pathOf(repository));
  const { id, empty, has_pull_requests: hasPulls = true } = status === 404 ? {} : readTarget(json);
  if (id !== undefined && String(id) !== repository.providerId) throw anotherRepository();
  if (empty || !hasPulls) return [];
  throw new ProviderError('rejected', 'The provider does not show the pull requests to this credential');
}

function pageQuery({ newestFirst, pageSize }: Dialect, page: number, size: number) {
  return { state: 'open', ...newestFirst, [pageSize]: size, page };
}

function etagsOf(stored: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.slice(0, MAX_PAGES).map(String) : [];
  } catch {
    return [];
  }
}

/**
 * Returns undefined for a pull request whose commit the provider does not know.
 * @throws ProviderError `invalid` if the name of the repository has come to mean another one
 */
function toPull(json: unknown, { providerId }: RepositoryRef): Pull | undefined {
  const pull = readPull(json);
  const { number, state, title, body, html_url, draft, base, merge_base, user } = pull;
  if (String(base.repo.id) !== providerId) throw anotherRepository();
  if (!isCommitId(pull.head.sha)) return undefined;
  return {
    ...{ number, isDraft: draft ?? false, title: titleText(title), body: bodyText(body), url: linkUrl(html_url) ?? '' },
    state: pull.merged || pull.merged_at ? 'merged' : state === 'open' ? 'open' : 'closed',
    ...headOf(pull.head),
    baseRef: base.ref,
    baseRepositoryId: String(base.repo.id),
    mergeBaseId: merge_base && isCommitId(merge_base) ? merge_base : null,
    author: userOf(user),
  };
}

/**
 * The head of a pull request is a branch. With the AGit flow of Gitea it is a commit without a branch, which anybody who
 * may read the repository can push; Gitea nevertheless names the target repository as its origin.
 */
function headOf({ ref, sha, repo }: Static<typeof pullSchema>['head']) {
  const isBranch = ref !== '' && !ref.startsWith('refs/');
  return { headRef: ref, headId: sha, headRepositoryId: isBranch && repo ? String(repo.id) : null };
}
