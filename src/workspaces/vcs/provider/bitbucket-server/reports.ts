import Type from 'typebox';
import { COMMENTS_PAGE, firstComment } from '../find-comment.ts';
import { optional } from '../http/optional.ts';
import type { Rest } from '../http/rest.ts';
import { reader } from '../http/untrusted.ts';
import type { ReportState, Reports } from '../port.ts';
import { shortened } from '../report-text.ts';
import { checkedPath, serverApi } from './api.ts';

const LIMITS = { comment: 32_768, description: 255 };
const NAME_LENGTH = 255;
const STATES: Readonly<Record<ReportState, string>> = {
  pending: 'INPROGRESS',
  running: 'INPROGRESS',
  success: 'SUCCESSFUL',
  failure: 'FAILED',
  error: 'FAILED',
  canceled: 'CANCELLED',
};
const readComment = reader('comment', Type.Object({ id: Type.Integer(), version: Type.Integer() }));

const activity = Type.Object({
  action: Type.String(),
  comment: optional(Type.Object({ id: Type.Integer(), text: Type.String() })),
});
const readActivities = reader('list of activities', Type.Object({ values: Type.Array(activity, { maxItems: 1000 }) }));

export const serverReports: Reports = {
  limits: LIMITS,
  hasPlainMarkdown: true,

  async status(access, repository, { commitId, context, state, description, url }) {
    const api = serverApi(access);
    const name = shortened(context, NAME_LENGTH);
    const body = {
      ...{ key: name, name, state: STATES[state], url },
      description: shortened(description, LIMITS.description),
    };
    const path = await checkedPath(api, repository);
    await api.send('POST', `${path}/commits/${encodeURIComponent(commitId)}/builds`, { body });
  },

  async comment(access, repository, { number, commentId, text }) {
    const api = serverApi(access);
    const comments = `${await checkedPath(api, repository)}/pull-requests/${number}/comments`;
    const body = { text: shortened(text, LIMITS.comment) };
    if (commentId !== null && (await update(api, `${comments}/${encodeURIComponent(commentId)}`, body)))
      return commentId;
    return String(readComment((await api.send('POST', comments, { body })).json).id);
  },

  // Comments are listed among all activities of a pull request.
  async findComment(access, repository, number, beginning) {
    const api = serverApi(access);
    const activities = `${await checkedPath(api, repository)}/pull-requests/${number}/activities`;
    return firstComment(beginning, async (page) => {
      const query = { limit: COMMENTS_PAGE, start: (page - 1) * COMMENTS_PAGE };
      const { json } = await api.send('GET', activities, { query });
      return readActivities(json).values.map(({ comment }) => ({
        id: String(comment?.id ?? ''),
        text: comment?.text ?? '',
      }));
    });
  },
};

/** Updates a comment, which needs its current version. Returns false if somebody has deleted it. */
async function update(api: Rest, path: string, body: { readonly text: string }): Promise<boolean> {
  const found = await api.find('GET', path);
  if (!found) return false;
  const { version } = readComment(found.json);
  return (await api.find('PUT', path, { body: { ...body, version } })) !== undefined;
}
