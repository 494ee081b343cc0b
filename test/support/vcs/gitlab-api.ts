import { randomUUID } from 'node:crypto';
import { addHook, apiRoutesBelow, changeHook, deleteHook, type FakeDialect, lastName } from './fake-dialect.ts';
import type { FakeRequest, FakeResponse, FakeRoute } from './fake-server.ts';
import type { FakeHook, FakePull, FakeRepository, FakeState } from './fake-state.ts';
import { added, changed, commentsOf, listed, loginOf, sorted } from './github-api.ts';
import { oauthRoutes } from './oauth-routes.ts';

const PROJECT = '/projects/([^/]+)';

/** GitLab, with the API version 4. Shapes: `@gitbeaker/core`. */
export const GITLAB: FakeDialect = {
  apiPath: '/api/v4',
  routes: (state) => ({
    ...apiRoutesBelow(state, '/api/v4', routesOf(state)),
    ...oauthRoutes(state, { authorize: '/oauth/authorize', token: '/oauth/token' }),
  }),
  push: (state, repository, { ref, before, after }) => {
    const kind = ref.startsWith('refs/tags/') ? 'tag_push' : 'push';
    return {
      event: kind,
      payload: {
        ...{ object_kind: kind, event_name: kind, ref, before, after, project_id: repository.id },
        ...{ user_username: 'ada', user_name: 'Ada', user_avatar: `${state.address}/ada.png` },
        project: projectBody(state, repository),
        commits: [],
      },
    };
  },
  pull: (state, repository, pull, action) => ({
    event: 'merge_request',
    payload: {
      object_kind: 'merge_request',
      user: { username: 'ada', name: 'Ada', avatar_url: `${state.address}/ada.png` },
      project: projectBody(state, repository),
      object_attributes: {
        ...mergeRequestBody(state, repository, pull),
        action: action === 'opened' ? 'open' : 'update',
      },
    },
  }),
  headers: (event, { secret }) => ({
    'x-gitlab-event':
      { push: 'Push Hook', tag_push: 'Tag Push Hook', merge_request: 'Merge Request Hook' }[event] ?? '',
    ...{ 'x-gitlab-token': secret, 'x-gitlab-event-uuid': randomUUID(), 'idempotency-key': randomUUID() },
  }),
};

function routesOf(state: FakeState): Record<string, FakeRoute> {
  const project =
    (
      answer: (repository: FakeRepository, request: FakeRequest, match: RegExpMatchArray) => ReturnType<FakeRoute>,
    ): FakeRoute =>
    (request, match) => {
      const key = decodeURIComponent(match[1] ?? '');
      const found = state.repositories.find(({ id, fullName }) => key === String(id) || key === fullName);
      return found && answer(found, request, match);
    };
  return {
    'GET /user': ({ headers }) => ({ body: { id: 7, username: loginOf(state, headers.authorization), name: 'Ada' } }),
    'GET /personal_access_tokens/self': () => ({ body: { id: 1, scopes: ['api'] } }),
    'GET /projects': (request) => {
      const search = request.query.get('search') ?? '';
      const found = sorted(state).filter(({ fullName }) => fullName.includes(search));
      return listed(
        state,
        request,
        found.map((each) => projectBody(state, each)),
      );
    },
    [`GET ${PROJECT}`]: project((repository) => ({ body: projectBody(state, repository) })),
    [`GET ${PROJECT}/merge_requests`]: project((repository, request) => {
      const open = repository.pulls.filter((pull) => pull.state === 'open');
      const newest = open.toSorted((a, b) => b.updatedAt - a.updatedAt || b.number - a.number);
      return listed(
        state,
        request,
        newest.map((pull) => mergeRequestBody(state, repository, pull)),
      );
    }),
    [`GET ${PROJECT}/merge_requests/(\\d+)`]: project((repository, _request, match) => {
      const pull = repository.pulls.find(({ number }) => String(number) === match[2]);
      if (!pull) return undefined;
      return { body: { ...mergeRequestBody(state, repository, pull), diff_refs: { base_sha: pull.mergeBase } } };
    }),
    [`GET ${PROJECT}/hooks`]: project(({ hooks }, request) => listed(state, request, hooks.map(hookBody))),
    [`POST ${PROJECT}/hooks`]: project((repository, { body }) => ({
      status: 201,
      body: hookBody(addHook(repository, hookOf(body))),
    })),
    [`PUT ${PROJECT}/hooks/(\\d+)`]: project((repository, { body }, match) => {
      const hook = changeHook(repository, match[2], hookOf(body));
      return hook && { body: hookBody(hook) };
    }),
    [`DELETE ${PROJECT}/hooks/(\\d+)`]: project((repository, _request, match) => deleteHook(repository, match[2])),
    [`GET ${PROJECT}/repository/commits/(\\w+)`]: project((_repository, _request, match) => ({
      body: { id: match[2], last_pipeline: null },
    })),
    [`POST ${PROJECT}/statuses/(\\w+)`]: project(({ id }, { body }, match) => statusAnswer(state, id, match[2], body)),
    [`POST ${PROJECT}/merge_requests/(\\d+)/notes`]: project(({ id }, { body }, match) => ({
      status: 201,
      body: added(state.comments, id, match[2], body),
    })),
    [`GET ${PROJECT}/merge_requests/(\\d+)/notes`]: project(({ id }, request, match) =>
      listed(
        state,
        request,
        commentsOf(state, id, match[2]).map((note) => ({ id: note.id, body: note.body.body })),
      ),
    ),
    [`PUT ${PROJECT}/merge_requests/\\d+/notes/(\\d+)`]: project((_repository, { body }, match) =>
      changed(state.comments, match[2], body),
    ),
  };
}

/** GitLab refuses a status whose state the commit has already. */
function statusAnswer(
  { statuses }: FakeState,
  id: number,
  commit: string | undefined,
  body: { name: string; state: string; description: string },
): FakeResponse {
  if (body.description.length > 255) return { status: 400, body: { message: { description: ['is too long'] } } };
  const last = statuses.findLast((each) => each.of === commit && each.body.name === body.name);
  if (last?.body.state === body.state)
    return { status: 400, body: { message: `Cannot transition status via :enqueue from :${body.state}` } };
  return { status: 201, body: added(statuses, id, commit, body) };
}

function projectBody({ address }: FakeState, { id, fullName, defaultBranch, isPrivate, git }: FakeRepository) {
  return {
    ...{ id, name: lastName(fullName), path: lastName(fullName), path_with_namespace: fullName },
    ...{ default_branch: defaultBranch, visibility: isPrivate ? 'private' : 'public' },
    ...{
      web_url: `${address}/${fullName}`,
      http_url_to_repo: git.url,
      ssh_url_to_repo: `git@localhost:${fullName}.git`,
    },
  };
}

function mergeRequestBody({ address }: FakeState, base: FakeRepository, pull: FakePull) {
  const { number, title, body, isMerged, isDraft, head, headRef, headId, baseRef } = pull;
  return {
    ...{ id: number + 5000, iid: number, title, description: body, draft: isDraft, work_in_progress: isDraft },
    state: isMerged ? 'merged' : pull.state === 'open' ? 'opened' : 'closed',
    ...{ source_branch: headRef, target_branch: baseRef, sha: headId },
    ...{ source_project_id: head?.id ?? null, target_project_id: base.id },
    web_url: `${address}/${base.fullName}/-/merge_requests/${number}`,
    author: { id: 7, username: 'ada', avatar_url: `${address}/ada.png`, web_url: `${address}/ada` },
  };
}

function hookOf(body: Readonly<Record<string, unknown>>): Omit<FakeHook, 'id'> {
  const names = { push_events: 'push', tag_push_events: 'tag_push', merge_requests_events: 'merge_request' };
  const events = Object.entries(names).flatMap(([name, event]) => (body[name] === true ? [event] : []));
  return { url: String(body.url), secret: String(body.token), events };
}

const hookBody = ({ id, url }: FakeHook) => ({ id, url, push_events: true });
