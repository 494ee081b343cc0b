import Type from 'typebox';
import { COMMENTS_PAGE, firstComment } from '../find-comment.ts';
import { optional, optionalText } from '../http/optional.ts';
import type { Rest } from '../http/rest.ts';
import { reader } from '../http/untrusted.ts';
import type { CommitStatus, ReportState, Reports } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { shortened } from '../report-text.ts';
import { gitlabApi, projectPath } from './api.ts';

const LIMITS = { comment: 1_000_000, description: 255 };
const STATES: Readonly<Record<ReportState, string>> = {
  pending: 'pending',
  running: 'running',
  success: 'success',
  failure: 'failed',
  error: 'failed',
  canceled: 'canceled',
};

const pipeline = Type.Object({ id: Type.Integer(), ref: optionalText });
const readCommit = reader('commit', Type.Object({ last_pipeline: optional(pipeline) }));
const readNote = reader('note', Type.Object({ id: Type.Integer() }));
const readNotes = reader(
  'list of notes',
  Type.Array(Type.Object({ id: Type.Integer(), body: Type.String() }), { maxItems: 100 }),
);

export const gitlabReports: Reports = {
  limits: LIMITS,

  async status(access, repository, status) {
    const api = gitlabApi(access);
    const project = projectPath(repository);
    const body = {
      ...{ state: STATES[status.state], name: status.context, target_url: status.url },
      description: shortened(status.description, LIMITS.description),
      ...(await placeOf(api, project, status)),
    };
    try {
      await api.send('POST', `${project}/statuses/${encodeURIComponent(status.commitId)}`, { body });
    } catch (error) {
      if (!hasStateAlready(error)) throw error;
    }
  },

  async comment(access, repository, { number, commentId, text }) {
    const api = gitlabApi(access);
    const notes = `${projectPath(repository)}/merge_requests/${number}/notes`;
    const body = { body: shortened(text, LIMITS.comment) };
    if (commentId !== null && (await api.find('PUT', `${notes}/${encodeURIComponent(commentId)}`, { body })))
      return commentId;
    return String(readNote((await api.send('POST', notes, { body })).json).id);
  },

  findComment(access, repository, number, beginning) {
    const notes = `${projectPath(repository)}/merge_requests/${number}/notes`;
    return firstComment(beginning, async (page) => {
      const query = { order_by: 'created_at', sort: 'asc', per_page: COMMENTS_PAGE, page };
      const { json } = await gitlabApi(access).send('GET', notes, { query });
      return readNotes(json).map(({ id, body: text }) => ({ id: String(id), text }));
    });
  },
};

/** Returns the pipeline to which a status belongs. Without it GitLab would create a second, external pipeline. */
async function placeOf(api: Rest, project: string, { commitId, ref }: CommitStatus) {
  const found = await api.find('GET', `${project}/repository/commits/${encodeURIComponent(commitId)}`);
  const latest = found && readCommit(found.json).last_pipeline;
  if (latest) return { pipeline_id: latest.id, ...(latest.ref && { ref: latest.ref }) };
  return ref === null ? {} : { ref };
}

/** GitLab refuses a status that the commit has already. */
function hasStateAlready(error: unknown): boolean {
  return (
    error instanceof ProviderError && error.kind === 'rejected' && error.message.includes('Cannot transition status')
  );
}
