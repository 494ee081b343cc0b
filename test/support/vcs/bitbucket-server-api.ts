import { createHmac, randomUUID } from 'node:crypto';
import { addHook, apiRoutesBelow, changeHook, deleteHook, type FakeDialect, lastName } from './fake-dialect.ts';
import type { FakeRequest, FakeResponse, FakeRoute } from './fake-server.ts';
import type { FakeHook, FakePull, FakeRepository, FakeState } from './fake-state.ts';
import { added, commentsOf, loginOf } from './github-api.ts';
import { oauthRoutes } from './oauth-routes.ts';

const REPOSITORY = '/projects/([^/]+)/repos/([^/]+)';

/** Bitbucket Data Center. Its comments have versions, and it knows repositories by name only. */
export const BITBUCKET_SERVER: FakeDialect = {
  apiPath: '',
  routes: (state) => ({
    ...apiRoutesBelow(state, '/rest/api/latest', routesOf(state)),
    ...oauthRoutes(state, { authorize: '/rest/oauth2/latest/authorize', token: '/rest/oauth2/latest/token' }),
  }),
  push: (state, repository, { ref, before, after }) => ({
    event: 'repo:refs_changed',
    payload: {
      ...{ eventKey: 'repo:refs_changed', actor: ada(state), repository: repositoryBody(state, repository) },
      changes: [{ ref: { id: ref }, refId: ref, fromHash: before, toHash: after, type: 'UPDATE' }],
    },
  }),
  pull: (state, repository, pull, action) => {
    const event = action === 'opened' ? 'pr:opened' : 'pr:from_ref_updated';
    return { event, payload: { eventKey: event, actor: ada(state), pullRequest: pullBody(state, repository, pull) } };
  },
  headers: (event, { secret }, body) => ({
    ...{ 'x-event-key': event, 'x-request-id': randomUUID() },
    'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
};

function routesOf(state: FakeState): Record<string, FakeRoute> {
  const versions = new Map<number, number>();
  const repositoryRoute =
    (
      answer: (repository: FakeRepository, request: FakeRequest, match: RegExpMatchArray) => ReturnType<FakeRoute>,
    ): FakeRoute =>
    (request, match) => {
      const found = state.repositories.find(({ fullName }) => fullName === `${match[1]}/${match[2]}`);
      return found && answer(found, request, match);
    };
  return {
    'GET /application-properties': ({ headers }) => ({
      headers: { 'x-ausername': loginOf(state, headers.authorization) ?? '' },
      body: { version: '9.4.0', displayName: 'Bitbucket' },
    }),
    'GET /repos': (request) => {
      const name = request.query.get('name') ?? '';
      const found = state.repositories.filter(({ fullName }) => lastName(fullName).includes(name));
      return paged(
        request,
        found.map((each) => repositoryBody(state, each)),
      );
    },
    [`GET ${REPOSITORY}`]: repositoryRoute((repository) => ({ body: repositoryBody(state, repository) })),
    [`GET ${REPOSITORY}/default-branch`]: repositoryRoute(({ defaultBranch }) => ({
      body: { id: `refs/heads/${defaultBranch}`, displayId: defaultBranch },
    })),
    [`GET ${REPOSITORY}/pull-requests`]: repositoryRoute((repository, request) => {
      const open = repository.pulls.filter((pull) => pull.state === 'open').toReversed();
      return paged(
        request,
        open.map((pull) => pullBody(state, repository, pull)),
      );
    }),
    [`GET ${REPOSITORY}/pull-requests/(\\d+)`]: repositoryRoute((repository, _request, match) => {
      const pull = repository.pulls.find(({ number }) => String(number) === match[3]);
      return pull && { body: pullBody(state, repository, pull) };
    }),
    [`GET ${REPOSITORY}/webhooks`]: repositoryRoute(({ hooks }, request) => paged(request, hooks.map(hookBody))),
    [`POST ${REPOSITORY}/webhooks`]: repositoryRoute((repository, { body }) => ({
      status: 201,
      body: hookBody(addHook(repository, hookOf(body))),
    })),
    [`PUT ${REPOSITORY}/webhooks/(\\d+)`]: repositoryRoute((repository, { body }, match) => {
      const hook = changeHook(repository, match[3], hookOf(body));
      return hook && { body: hookBody(hook) };
    }),
    [`DELETE ${REPOSITORY}/webhooks/(\\d+)`]: repositoryRoute((repository, _request, match) =>
      deleteHook(repository, match[3]),
    ),
    [`POST ${REPOSITORY}/commits/(\\w+)/builds`]: repositoryRoute(({ id }, { body }, match) => {
      if (!body.key || !body.url || body.description.length > 255) return badRequest('A field is missing or too long');
      added(state.statuses, id, match[3], body);
      return { status: 204 };
    }),
    [`POST ${REPOSITORY}/pull-requests/(\\d+)/comments`]: repositoryRoute(({ id }, { body }, match) => {
      if (body.text.length > 32_768) return badRequest('The comment is too long');
      const made = added(state.comments, id, match[3], body);
      versions.set(made.id, 0);
      return { status: 201, body: { ...made, version: 0 } };
    }),
    [`GET ${REPOSITORY}/pull-requests/(\\d+)/activities`]: repositoryRoute(({ id }, request, match) => {
      const comments = commentsOf(state, id, match[3]).map(({ id: commentId, body: { text } }) => ({
        ...{ action: 'COMMENTED', comment: { id: commentId, text } },
      }));
      return paged(request, [{ action: 'OPENED' }, ...comments]);
    }),
    [`GET ${REPOSITORY}/pull-requests/\\d+/comments/(\\d+)`]: repositoryRoute((_repository, _request, match) => {
      const found = state.comments.find(({ id }) => String(id) === match[3]);
      return found && { body: { id: found.id, version: versions.get(found.id), text: found.body.text } };
    }),
    [`PUT ${REPOSITORY}/pull-requests/\\d+/comments/(\\d+)`]: repositoryRoute((_repository, { body }, match) => {
      const found = state.comments.find(({ id }) => String(id) === match[3]);
      if (!found) return undefined;
      if (body.version !== versions.get(found.id)) return { status: 409, body: { errors: [{ message: 'version' }] } };
      versions.set(found.id, body.version + 1);
      found.body = { text: body.text };
      return { body: { id: found.id, version: body.version + 1 } };
    }),
  };
}

function badRequest(message: string): FakeResponse {
  return { status: 400, body: { errors: [{ message }] } };
}

function paged({ query }: FakeRequest, items: readonly unknown[]): FakeResponse {
  const limit = Number(query.get('limit') ?? 25);
  const start = Number(query.get('start') ?? 0);
  const isLastPage = start + limit >= items.length;
  const values = items.slice(start, start + limit);
  return {
    body: { values, size: values.length, limit, start, isLastPage, nextPageStart: isLastPage ? null : start + limit },
  };
}

function repositoryBody({ address }: FakeState, { id, fullName, isPrivate, git }: FakeRepository) {
  const [key = '', slug = ''] = fullName.split('/');
  return {
    ...{ id, slug, name: slug, scmId: 'git', public: !isPrivate, project: { key, name: key } },
    links: {
      clone: [
        { name: 'ssh', href: `ssh://git@localhost:7999/${fullName}.git` },
        { name: 'http', href: git.url },
      ],
      self: [{ href: `${address}/projects/${key}/repos/${slug}/browse` }],
    },
  };
}

function pullBody(state: FakeState, base: FakeRepository, pull: FakePull) {
  const { number, title, body, isMerged, isDraft, head, headRef, headId, baseRef } = pull;
  return {
    ...{ id: number, version: 0, title, description: body, draft: isDraft },
    state: isMerged ? 'MERGED' : pull.state === 'open' ? 'OPEN' : 'DECLINED',
    fromRef: {
      ...{ id: `refs/heads/${headRef}`, displayId: headRef, latestCommit: headId },
      ...(head && { repository: repositoryBody(state, head) }),
    },
    toRef: {
      ...{ id: `refs/heads/${baseRef}`, displayId: baseRef, latestCommit: pull.mergeBase },
      repository: repositoryBody(state, base),
    },
    author: { user: ada(state), role: 'AUTHOR' },
    links: { self: [{ href: `${state.address}/projects/${base.fullName}/pull-requests/${number}` }] },
  };
}

function ada({ address }: FakeState) {
  return { name: 'ada', displayName: 'Ada', slug: 'ada', links: { self: [{ href: `${address}/users/ada` }] } };
}

function hookOf(body: { url: string; events: string[]; configuration: { secret: string } }): Omit<FakeHook, 'id'> {
  return { url: body.url, secret: body.configuration.secret, events: body.events };
}
const hookBody = ({ id, url, events }: FakeHook) => ({ id, name: 'hook', url, events, active: true });
