import Type from 'typebox';
import { COMMENTS_PAGE, firstComment } from '../find-comment.ts';
import { pageOrItems } from '../http/pages.ts';
import { reader } from '../http/untrusted.ts';
import type { CommitCheck, ProviderAccess, PullComment, ReportState, Reports, RepositoryRef } from '../port.ts';
import { shortened } from '../report-text.ts';
import { call, callExisting, idPart, pathOf } from './api.ts';
import type { Dialect } from './dialect.ts';

const readCreated = reader('comment or check run', Type.Object({ id: Type.Integer({ minimum: 0 }) }));

/** @limit text of a check run at GitHub, characters -> the text is truncated */
const MAX_CHECK_TEXT = 65_535;
/** States of check runs. */
const CHECK_STATES: Readonly<Record<ReportState, Readonly<Record<string, string>>>> = {
  pending: { status: 'queued' },
  running: { status: 'in_progress' },
  success: { status: 'completed', conclusion: 'success' },
  failure: { status: 'completed', conclusion: 'failure' },
  error: { status: 'completed', conclusion: 'failure' },
  canceled: { status: 'completed', conclusion: 'cancelled' },
};

export function reportsOf(dialect: Dialect): Reports {
  return {
    limits: dialect.limits,
    async status(access, repository, { commitId, context, state, description, url }) {
      const body = {
        ...{ state: dialect.states[state], context, target_url: url },
        description: shortened(description, dialect.limits.description),
      };
      await callExisting(dialect, access, `${pathOf(repository)}/statuses/${commitId}`, { method: 'POST', body });
    },
    comment: (access, repository, comment) => setComment(dialect, access, repository, comment),
    findComment: (access, repository, number, beginning) =>
      findComment(dialect, access, repository, { number, beginning }),
  };
}

/** Creates or updates a check run, which only a GitHub App may do. Returns its id. */
export async function setCheck(
  dialect: Dialect,
  access: ProviderAccess,
  repository: RepositoryRef,
  { checkId, commitId, context, state, description, url, summary }: CommitCheck,
): Promise<string> {
  const output = {
    title: shortened(description, dialect.limits.description),
    summary: shortened(summary, MAX_CHECK_TEXT),
  };
  const body = { name: context, head_sha: commitId, details_url: url, ...CHECK_STATES[state], output };
  return await upsert(dialect, access, { path: `${pathOf(repository)}/check-runs`, id: checkId, body });
}

async function setComment(
  dialect: Dialect,
  access: ProviderAccess,
  repository: RepositoryRef,
  { number, commentId, text }: PullComment,
): Promise<string> {
  const path = pathOf(repository);
  return await upsert(dialect, access, {
    ...{ path: `${path}/issues/comments`, id: commentId, body: { body: shortened(text, dialect.limits.comment) } },
    createPath: `${path}/issues/${number}/comments`,
  });
}

const readComments = reader(
  'list of comments',
  Type.Array(Type.Object({ id: Type.Integer({ minimum: 0 }), body: Type.Union([Type.String(), Type.Null()]) })),
);

function findComment(
  dialect: Dialect,
  access: ProviderAccess,
  repository: RepositoryRef,
  { number, beginning }: { readonly number: number; readonly beginning: string },
): Promise<string | null> {
  const path = `${pathOf(repository)}/issues/${number}/comments`;
  return firstComment(beginning, (page) =>
    pageOrItems(page, COMMENTS_PAGE, async (at, size) => {
      const { json } = await callExisting(dialect, access, path, { query: { [dialect.pageSize]: size, page: at } });
      return readComments(json).map(({ id, body }) => ({ id: String(id), text: body ?? '' }));
    }),
  );
}

/** Updates a resource; creates it if there is none, or if somebody has deleted it. Returns its id. */
async function upsert(
  dialect: Dialect,
  access: ProviderAccess,
  { path, createPath = path, id, body }: { path: string; createPath?: string; id: string | null; body: object },
): Promise<string> {
  if (id !== null) {
    const updated = await call(dialect, access, `${path}/${idPart(id)}`, { method: 'PATCH', body });
    if (updated.status !== 404) return id;
  }
  const { json } = await callExisting(dialect, access, createPath, { method: 'POST', body });
  return String(readCreated(json).id);
}
