import { createHmac, randomUUID } from 'node:crypto';
import {
  addHook,
  apiRoutesBelow,
  changeHook,
  deleteHook,
  type FakeDialect,
  lastName,
  numberOf,
  uuidOf,
} from './fake-dialect.ts';
import type { FakeRequest, FakeResponse, FakeRoute } from './fake-server.ts';
import { type FakeHook, type FakePull, type FakeRepository, type FakeState, NO_COMMIT } from './fake-state.ts';
import { added, changed, commentsOf, loginOf, sorted } from './github-api.ts';
import { oauthRoutes } from './oauth-routes.ts';

const REPOSITORY = '/repositories/([^/]+)/([^/]+)';
const braced = (id: number): string => `{${uuidOf(id)}}`;

/** Bitbucket Cloud, with the API version 2.0. Shapes: the package `bitbucket`. */
export const BITBUCKET_CLOUD: FakeDialect = {
  apiPath: '/2.0',
  routes: (state) => ({
    ...apiRoutesBelow(state, '/2.0', routesOf(state)),
    ...oauthRoutes(state, { authorize: '/site/oauth2/authorize', token: '/site/oauth2/access_token' }),
  }),
  push: (state, repository, { ref, before, after }) => {
    const [, kind, ...name] = ref.split('/');
    const tip = (hash: string) =>
      hash === NO_COMMIT
        ? null
        : { type: kind === 'tags' ? 'tag' : 'branch', name: name.join('/'), target: { type: 'commit', hash } };
    const links = { html: { href: `${state.address}/${repository.fullName}/branches/compare/${after}..${before}` } };
    const changes = [{ new: tip(after), old: tip(before), links, truncated: false }];
    return { event: 'repo:push', payload: { ...common(state, repository), push: { changes } } };
  },
  pull: (state, repository, pull, action) => ({
    event: action === 'opened' ? 'pullrequest:created' : 'pullrequest:updated',
    payload: { ...common(state, repository), pullrequest: pullBody(state, repository, pull) },
  }),
  headers: (event, { secret }, body) => ({
    ...{ 'x-event-key': event, 'x-request-uuid': randomUUID(), 'x-hook-uuid': randomUUID() },
    'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
};

function routesOf(state: FakeState): Record<string, FakeRoute> {
  const repositoryRoute =
    (
      answer: (repository: FakeRepository, request: FakeRequest, match: RegExpMatchArray) => ReturnType<FakeRoute>,
    ): FakeRoute =>
    (request, match) => {
      const [workspace = '', name = ''] = match.slice(1);
      const found = state.repositories.find(({ id, fullName }) => {
        const isIn = workspace === '{}' || fullName.startsWith(`${workspace}/`);
        return isIn && (name === braced(id) || name === lastName(fullName));
      });
      return found && answer(found, request, match);
    };
  return {
    'GET /user': ({ headers }) => ({
      headers: { 'x-oauth-scopes': 'account, repository:admin' },
      body: { uuid: braced(7), username: loginOf(state, headers.authorization), display_name: 'Ada' },
    }),
    'GET /user/workspaces': () => {
      const slugs = new Set(state.repositories.map(({ fullName }) => fullName.split('/')[0]));
      return { body: { values: [...slugs].map((slug) => ({ type: 'workspace_access', workspace: { slug } })) } };
    },
    'GET /repositories/([^/]+)': (request, match) => {
      const search = /"(.*)"/.exec(request.query.get('q') ?? '')?.[1] ?? '';
      const own = sorted(state).filter(({ fullName }) => fullName.startsWith(`${match[1]}/`));
      const found = own.filter(({ fullName }) => fullName.includes(search));
      return paged(
        state,
        request,
        found.map((each) => repositoryBody(state, each)),
      );
    },
    [`GET ${REPOSITORY}`]: repositoryRoute((repository) => ({ body: repositoryBody(state, repository) })),
    [`GET ${REPOSITORY}/refs/branches`]: repositoryRoute(async ({ pulls }, request) => {
      const names = [...(request.query.get('q') ?? '').matchAll(/name = "([^"]*)"/g)].map(([, name]) => name);
      const branches = new Map(pulls.map(({ headRef, headId }) => [headRef, headId]));
      const values = names.map((name) => ({ name, target: { hash: branches.get(name ?? '') ?? '' } }));
      return { body: { values } };
    }),
    [`GET ${REPOSITORY}/pullrequests`]: repositoryRoute((repository, request) => {
      const open = repository.pulls.filter((pull) => pull.state === 'open');
      const newest = open.toSorted((a, b) => b.updatedAt - a.updatedAt || b.number - a.number);
      return paged(
        state,
        request,
        newest.map((pull) => pullBody(state, repository, pull)),
      );
    }),
    [`GET ${REPOSITORY}/pullrequests/(\\d+)`]: repositoryRoute((repository, _request, match) => {
      const pull = repository.pulls.find(({ number }) => String(number) === match[3]);
      return pull && { body: pullBody(state, repository, pull) };
    }),
    [`GET ${REPOSITORY}/pullrequests/(\\d+)/commits`]: repositoryRoute(({ pulls }, _request, match) => {
      const pull = pulls.find(({ number }) => String(number) === match[3]);
      return pull && { body: { values: [{ hash: pull.headId }] } };
    }),
    [`GET ${REPOSITORY}/hooks`]: repositoryRoute(({ hooks }, request) => paged(state, request, hooks.map(hookBody))),
    [`POST ${REPOSITORY}/hooks`]: repositoryRoute((repository, { body }) => ({
      status: 201,
      body: hookBody(addHook(repository, hookOf(body))),
    })),
    [`PUT ${REPOSITORY}/hooks/([^/]+)`]: repositoryRoute((repository, { body }, match) => {
      const hook = changeHook(repository, String(numberOf(match[3] ?? '')), hookOf(body));
      return hook && { body: hookBody(hook) };
    }),
    [`DELETE ${REPOSITORY}/hooks/([^/]+)`]: repositoryRoute((repository, _request, match) =>
      deleteHook(repository, String(numberOf(match[3] ?? ''))),
    ),
    [`POST ${REPOSITORY}/commit/(\\w+)/statuses/build`]: repositoryRoute(({ id }, { body }, match) => {
      if (body.key.length > 40 || !body.url)
        return { status: 400, body: { type: 'error', error: { message: 'Bad request' } } };
      return { status: 201, body: added(state.statuses, id, match[3], body) };
    }),
    [`POST ${REPOSITORY}/pullrequests/(\\d+)/comments`]: repositoryRoute(({ id }, { body }, match) => ({
      status: 201,
      body: added(state.comments, id, match[3], body),
    })),
    [`GET ${REPOSITORY}/pullrequests/(\\d+)/comments`]: repositoryRoute(({ id }, request, match) =>
      paged(
        state,
        request,
        commentsOf(state, id, match[3]).map((comment) => ({ id: comment.id, content: comment.body.content })),
      ),
    ),
    [`PUT ${REPOSITORY}/pullrequests/\\d+/comments/(\\d+)`]: repositoryRoute((_repository, { body }, match) =>
      changed(state.comments, match[3], body),
    ),
  };
}

function paged({ address }: FakeState, { query, path }: FakeRequest, items: readonly unknown[]): FakeResponse {
  const size = Number(query.get('pagelen') ?? 10);
  const page = Number(query.get('page') ?? 1);
  const values = items.slice((page - 1) * size, page * size);
  const next = new URLSearchParams({ ...Object.fromEntries(query), page: String(page + 1) });
  const hasNext = items.length > page * size;
  return { body: { values, pagelen: size, page, ...(hasNext && { next: `${address}${path}?${next}` }) } };
}

function repositoryBody({ address }: FakeState, { id, fullName, defaultBranch, isPrivate, git }: FakeRepository) {
  return {
    ...{ type: 'repository', uuid: braced(id), full_name: fullName, name: lastName(fullName), is_private: isPrivate },
    mainbranch: { type: 'branch', name: defaultBranch },
    links: {
      html: { href: `${address}/${fullName}` },
      // Bitbucket names the user in this URL.
      clone: [{ name: 'https', href: git.url.replace('http://', 'http://ada@') }],
    },
  };
}

/** Commits of pull requests are abbreviated. */
function pullBody(state: FakeState, base: FakeRepository, pull: FakePull) {
  const { number, title, body, isMerged, isDraft, head, headRef, headId, baseRef } = pull;
  return {
    ...{ type: 'pullrequest', id: number, title, description: body, summary: { raw: body }, draft: isDraft },
    state: isMerged ? 'MERGED' : pull.state === 'open' ? 'OPEN' : 'DECLINED',
    source: {
      ...{ branch: { name: headRef }, commit: { hash: headId.slice(0, 12) } },
      repository: head && { uuid: braced(head.id), full_name: head.fullName },
    },
    destination: { branch: { name: baseRef }, repository: { uuid: braced(base.id), full_name: base.fullName } },
    links: { html: { href: `${state.address}/${base.fullName}/pull-requests/${number}` } },
    author: ada(state),
  };
}

function common(state: FakeState, repository: FakeRepository) {
  return { actor: ada(state), repository: repositoryBody(state, repository) };
}

function ada({ address }: FakeState) {
  const links = { avatar: { href: `${address}/ada.png` }, html: { href: `${address}/ada` } };
  return { type: 'user', nickname: 'ada', display_name: 'Ada', links };
}

const hookOf = ({ url, secret, events }: Omit<FakeHook, 'id'>) => ({ url, secret, events });
const hookBody = ({ id, url, events }: FakeHook) => ({ uuid: braced(id), url, events, secret_set: true });
