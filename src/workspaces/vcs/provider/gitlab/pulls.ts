import Type from 'typebox';
import { senderOf } from '../delivery.ts';
import { optional, optionalText } from '../http/optional.ts';
import { reader } from '../http/untrusted.ts';
import type { Pull, Pulls, RepositoryRef } from '../port.ts';
import { checkedPull, openPulls, PAGE_SIZE } from '../pulls.ts';
import { bodyText, linkUrl, titleText } from '../text.ts';
import { gitlabApi, projectPath } from './api.ts';

const mergeRequest = Type.Object({
  iid: Type.Integer({ minimum: 1 }),
  state: Type.String(),
  draft: optional(Type.Boolean()),
  work_in_progress: optional(Type.Boolean()),
  title: Type.String(),
  description: optionalText,
  web_url: Type.String(),
  source_branch: Type.String(),
  target_branch: Type.String(),
  sha: optionalText,
  source_project_id: optional(Type.Integer()),
  target_project_id: Type.Integer(),
  author: optional(Type.Object({ username: Type.String(), avatar_url: optionalText, web_url: optionalText })),
  diff_refs: optional(Type.Object({ base_sha: optionalText })),
});
const readOne = reader('merge request', mergeRequest);
const readMany = reader('list of merge requests', Type.Array(mergeRequest));
const NOT_MODIFIED = 304;

export const gitlabPulls: Pulls = {
  mergeRef: (number) => `refs/merge-requests/${number}/merge`,
  async open(access, repository, etag) {
    let newEtag: string | null = null;
    let isUnchanged = false;
    const items = await openPulls(async (page, size) => {
      const isFirst = page === 1 && size === PAGE_SIZE;
      const { status, headers, json } = await gitlabApi(access).send(
        'GET',
        `${projectPath(repository)}/merge_requests`,
        {
          query: { state: 'opened', order_by: 'updated_at', sort: 'desc', per_page: size, page },
          etag: isFirst ? etag : undefined,
        },
      );
      if (isFirst) newEtag = headers.etag ?? null;
      isUnchanged ||= status === NOT_MODIFIED;
      return isUnchanged ? [] : readMany(json).map((found) => pullOf(found, repository));
    });
    if (isUnchanged) return undefined;
    // The ETag of the first page does not change when a merge request on the second one is closed.
    return { items, etag: items.length < PAGE_SIZE ? newEtag : null };
  },

  async one(access, repository, number) {
    const found = await gitlabApi(access).find('GET', `${projectPath(repository)}/merge_requests/${number}`);
    return found && (pullOf(readOne(found.json), repository) ?? undefined);
  },
};

/** Returns the pull request; null for a merge request without commits. */
function pullOf(found: ReturnType<typeof readOne>, repository: RepositoryRef): Pull | null {
  if (!found.sha) return null;
  const { author } = found;
  const pull: Pull = {
    number: found.iid,
    state: stateOf(found.state),
    isDraft: found.draft ?? found.work_in_progress ?? false,
    title: titleText(found.title),
    body: bodyText(found.description),
    url: linkUrl(found.web_url) ?? '',
    headRef: found.source_branch,
    headId: found.sha,
    baseRef: found.target_branch,
    headRepositoryId: found.source_project_id == null ? null : String(found.source_project_id),
    baseRepositoryId: String(found.target_project_id),
    mergeBaseId: found.diff_refs?.base_sha ?? null,
    author: senderOf({ name: author?.username, avatarUrl: author?.avatar_url, url: author?.web_url }),
  };
  return checkedPull(pull, repository);
}

function stateOf(state: string): Pull['state'] {
  if (state === 'merged') return 'merged';
  // A merge request is locked while GitLab merges it.
  return state === 'opened' || state === 'locked' ? 'open' : 'closed';
}
