import { createHash } from 'node:crypto';
import Type from 'typebox';
import { COMMENTS_PAGE, firstComment } from '../find-comment.ts';
import { reader } from '../http/untrusted.ts';
import type { ReportState, Reports } from '../port.ts';
import { shortened } from '../report-text.ts';
import { bitbucketApi, repositoryPath } from './api.ts';

const LIMITS = { comment: 200_000, description: 255 };
const KEY_LENGTH = 40;
const NAME_LENGTH = 255;
const STATES: Readonly<Record<ReportState, string>> = {
  pending: 'INPROGRESS',
  running: 'INPROGRESS',
  success: 'SUCCESSFUL',
  failure: 'FAILED',
  error: 'FAILED',
  canceled: 'STOPPED',
};
const readComment = reader('comment', Type.Object({ id: Type.Integer() }));
const listed = Type.Object({ id: Type.Integer(), content: Type.Object({ raw: Type.String() }) });
const readComments = reader('list of comments', Type.Object({ values: Type.Array(listed, { maxItems: 100 }) }));

export const bitbucketReports: Reports = {
  limits: LIMITS,
  hasPlainMarkdown: true,

  async status(access, repository, { commitId, ref, context, state, description, url }) {
    const path = `${repositoryPath(repository)}/commit/${encodeURIComponent(commitId)}/statuses/build`;
    const body = {
      ...{ key: keyOf(context), name: shortened(context, NAME_LENGTH), state: STATES[state], url },
      description: shortened(description, LIMITS.description),
      // Bitbucket shows a status in a pull request only if it names the branch.
      ...(ref !== null && { refname: ref }),
    };
    await bitbucketApi(access).send('POST', path, { body });
  },

  async comment(access, repository, { number, commentId, text }) {
    const api = bitbucketApi(access);
    const comments = `${repositoryPath(repository)}/pullrequests/${number}/comments`;
    const body = { content: { raw: shortened(text, LIMITS.comment) } };
    if (commentId !== null && (await api.find('PUT', `${comments}/${encodeURIComponent(commentId)}`, { body })))
      return commentId;
    return String(readComment((await api.send('POST', comments, { body })).json).id);
  },

  findComment(access, repository, number, beginning) {
    const comments = `${repositoryPath(repository)}/pullrequests/${number}/comments`;
    return firstComment(beginning, async (page) => {
      const query = { pagelen: COMMENTS_PAGE, page, sort: 'created_on' };
      const { json } = await bitbucketApi(access).send('GET', comments, { query });
      return readComments(json).values.map(({ id, content: { raw: text } }) => ({ id: String(id), text }));
    });
  },
};

/** Returns the key of a status: its context, or a hash of one that is too long. */
function keyOf(context: string): string {
  return context.length <= KEY_LENGTH
    ? context
    : createHash('sha256').update(context).digest('hex').slice(0, KEY_LENGTH);
}
