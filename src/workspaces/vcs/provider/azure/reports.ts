import Type from 'typebox';
import { firstComment } from '../find-comment.ts';
import { optionalText } from '../http/optional.ts';
import { reader } from '../http/untrusted.ts';
import type { ReportState, Reports } from '../port.ts';
import { shortened } from '../report-text.ts';
import { azureIdOf, organizationApi, repositoryPath } from './api.ts';

const LIMITS = { comment: 150_000, description: 255 };
/** A canceled run is an error, because a policy of a branch counts `notApplicable` as a success. */
const STATES: Readonly<Record<ReportState, string>> = {
  pending: 'pending',
  running: 'pending',
  success: 'succeeded',
  failure: 'failed',
  error: 'error',
  canceled: 'error',
};
const readThread = reader(
  'comment thread',
  Type.Object({ id: Type.Integer(), comments: Type.Array(Type.Object({ id: Type.Integer() }), { minItems: 1 }) }),
);

const readThreads = reader(
  'list of comment threads',
  Type.Object({
    value: Type.Array(
      Type.Object({
        id: Type.Integer(),
        comments: Type.Array(Type.Object({ id: Type.Integer(), content: optionalText })),
      }),
    ),
  }),
);

export const azureReports: Reports = {
  limits: LIMITS,

  async status(access, repository, { commitId, pullNumber, context, state, description, url }) {
    const id = azureIdOf(repository);
    const api = organizationApi(access, id.organization);
    const body = {
      ...{ state: STATES[state], targetUrl: url, context: contextOf(context) },
      description: shortened(description, LIMITS.description),
    };
    await api.send('POST', `${repositoryPath(id)}/commits/${encodeURIComponent(commitId)}/statuses`, { body });
    // Policies of branches look at statuses of pull requests only.
    if (pullNumber != null)
      await api.send('POST', `${repositoryPath(id)}/pullrequests/${pullNumber}/statuses`, { body });
  },

  // A comment is part of a thread, so the id consists of those of both.
  async comment(access, repository, { number, commentId, text }) {
    const id = azureIdOf(repository);
    const api = organizationApi(access, id.organization);
    const threads = `${repositoryPath(id)}/pullrequests/${number}/threads`;
    const content = shortened(text, LIMITS.comment);
    if (commentId !== null) {
      const [thread = '', comment = ''] = commentId.split('/').map(encodeURIComponent);
      if (await api.find('PATCH', `${threads}/${thread}/comments/${comment}`, { body: { content } })) return commentId;
    }
    // An open thread blocks the pull request where a policy requires that comments are resolved.
    const body = { status: 'closed', comments: [{ parentCommentId: 0, commentType: 'text', content }] };
    const made = readThread((await api.send('POST', threads, { body })).json);
    return `${made.id}/${made.comments[0]?.id}`;
  },

  // Azure DevOps lists all threads at once.
  findComment(access, repository, number, beginning) {
    const id = azureIdOf(repository);
    const threads = `${repositoryPath(id)}/pullrequests/${number}/threads`;
    return firstComment(beginning, async (page) => {
      if (page > 1) return [];
      const { json } = await organizationApi(access, id.organization).send('GET', threads);
      return readThreads(json).value.flatMap(({ id: thread, comments: [first] }) =>
        first ? [{ id: `${thread}/${first.id}`, text: first.content ?? '' }] : [],
      );
    });
  },
};

/** Splits a context: a policy of a branch names the genre, which is its first part, and the name apart. */
function contextOf(context: string): { genre: string; name: string } {
  const [genre = '', ...name] = context.split('/');
  return name.length === 0 ? { genre: 'lockkeeper', name: genre } : { genre, name: name.join('/') };
}
