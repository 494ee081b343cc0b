import { createHash } from 'node:crypto';
import type { FakeRequest, FakeResponse, FakeRoute } from './fake-server.ts';
import type { FakePull, FakeReport, FakeRepository, FakeState } from './fake-state.ts';
import { isInstallationToken } from './github-tokens.ts';

const FORBIDDEN = 403;

/** Routes of the API that both flavours have, below the path of the API. */
export function apiRoutes(state: FakeState): Record<string, FakeRoute> {
  const repositoryRoute =
    (
      answer: (repository: FakeRepository, request: FakeRequest, match: RegExpMatchArray) => FakeResponse | undefined,
    ): FakeRoute =>
    (request, match) => {
      const repository = state.repositories.find(({ fullName }) => fullName === match[1]);
      if (repository) return answer(repository, request, match);
      const renamed = state.repositories.find(({ oldNames }) => oldNames.includes(match[1] ?? ''));
      return renamed && redirectToNew(state, renamed, request, match[1] ?? '');
    };
  const routes: Record<string, FakeRoute> = {
    'GET /user': ({ headers }) => ({
      headers: state.flavour === 'github' ? { 'x-oauth-scopes': 'repo, read:org' } : {},
      body: userOf(state, loginOf(state, headers.authorization) ?? ''),
    }),
    'GET /user/repos': (request) =>
      listed(
        state,
        request,
        sorted(state).map((each) => repositoryBody(state, each)),
      ),
    'GET /repos/search': (request) => {
      const q = request.query.get('q') ?? '';
      const found = sorted(state).filter(({ fullName }) => fullName.includes(q));
      const page = listed(
        state,
        request,
        found.map((each) => repositoryBody(state, each)),
      );
      return { ...page, body: { ok: true, data: page.body } };
    },
    'GET /repositories/(\\d+)': (_request, match) => {
      const found = state.repositories.find(({ id }) => String(id) === match[1]);
      return found && { body: repositoryBody(state, found) };
    },
    'GET /repos/([^/]+/[^/]+)': repositoryRoute((repository) => ({ body: repositoryBody(state, repository) })),
    'GET /repos/([^/]+/[^/]+)/pulls': repositoryRoute((repository, request) => {
      const open = repository.pulls.filter((pull) => pull.state === request.query.get('state'));
      const newest = open.toSorted((a, b) => b.updatedAt - a.updatedAt || b.number - a.number);
      return listed(
        state,
        request,
        newest.map((pull) => pullBody(state, repository, pull)),
      );
    }),
    'GET /repos/([^/]+/[^/]+)/pulls/(\\d+)': repositoryRoute((repository, _request, match) => {
      const pull = repository.pulls.find(({ number }) => String(number) === match[2]);
      return pull && { body: pullBody(state, repository, pull) };
    }),
    'GET /repos/([^/]+/[^/]+)/hooks': repositoryRoute(({ hooks }, request) =>
      listed(
        state,
        request,
        hooks.map(({ id, url, events }) => ({ id, active: true, events, config: { url } })),
      ),
    ),
    'POST /repos/([^/]+/[^/]+)/hooks': repositoryRoute(({ hooks }, { body }) => {
      const { url, secret } = body.config;
      // GitHub's answer to a second hook with the configuration of the first.
      if (state.flavour === 'github' && hooks.some((hook) => hook.url === url))
        return validationError('Hook already exists on this repository');
      const hook = { id: Math.max(0, ...hooks.map(({ id }) => id)) + 1, url, secret, events: body.events };
      hooks.push(hook);
      return { status: 201, body: { id: hook.id, active: body.active, events: body.events, config: { url } } };
    }),
    'PATCH /repos/([^/]+/[^/]+)/hooks/(\\d+)': repositoryRoute(({ hooks }, { body }, match) => {
      const hook = hooks.find(({ id }) => String(id) === match[2]);
      if (!hook) return undefined;
      const secret = state.flavour === 'gitea' ? hook.secret : body.config.secret;
      Object.assign(hook, { url: body.config.url, secret, events: body.events });
      return { body: { id: hook.id, config: { url: hook.url } } };
    }),
    'DELETE /repos/([^/]+/[^/]+)/hooks/(\\d+)': repositoryRoute(({ hooks }, _request, match) => {
      const at = hooks.findIndex(({ id }) => String(id) === match[2]);
      if (at < 0) return undefined;
      hooks.splice(at, 1);
      return { status: 204 };
    }),
    'POST /repos/([^/]+/[^/]+)/statuses/(\\w+)': repositoryRoute(({ id }, { body }, match) => {
      if (state.flavour === 'github' && body.description.length > 140)
        return validationError('description is too long');
      return { status: 201, body: added(state.statuses, id, match[2], body) };
    }),
    'POST /repos/([^/]+/[^/]+)/check-runs': repositoryRoute(({ id }, { body, headers }) => {
      if (!isInstallationToken(state, headers.authorization)) return notAccessible();
      return { status: 201, body: added(state.checks, id, body.head_sha, body) };
    }),
    'PATCH /repos/([^/]+/[^/]+)/check-runs/(\\d+)': repositoryRoute((_repository, { body }, match) =>
      changed(state.checks, match[2], body),
    ),
    'POST /repos/([^/]+/[^/]+)/issues/(\\d+)/comments': repositoryRoute(({ id }, { body }, match) => ({
      status: 201,
      body: added(state.comments, id, match[2], body),
    })),
    'GET /repos/([^/]+/[^/]+)/issues/(\\d+)/comments': repositoryRoute(({ id }, request, match) => {
      const own = commentsOf(state, id, match[2]);
      return listed(
        state,
        request,
        own.map((comment) => ({ id: comment.id, body: comment.body.body })),
      );
    }),
    'PATCH /repos/([^/]+/[^/]+)/issues/comments/(\\d+)': repositoryRoute((_repository, { body }, match) =>
      changed(state.comments, match[2], body),
    ),
  };
  return Object.fromEntries(
    Object.entries(routes).map(([key, route]) => {
      const [method, path] = key.split(' ');
      return [`${method} ${state.flavour === 'gitea' ? '/api/v1' : ''}${path}`, authenticated(state, route)];
    }),
  );
}

/** Checks the credential and the rate limit, and adds the headers that each response has. */
export function authenticated(state: FakeState, route: FakeRoute): FakeRoute {
  return async (request, match) => {
    if (loginOf(state, request.headers.authorization) === undefined)
      return { status: 401, body: { message: 'Bad credentials' } };
    const { rateLimit } = state;
    if (rateLimit && rateLimit.remaining === 0)
      return {
        status: FORBIDDEN,
        headers: limitHeaders(rateLimit),
        body: { message: 'API rate limit exceeded for user' },
      };
    const response = await route(request, match);
    if (state.rateLimit && rateLimit && response?.status !== 304)
      state.rateLimit = { ...rateLimit, remaining: rateLimit.remaining - 1 };
    const limits = state.rateLimit ? limitHeaders(state.rateLimit) : {};
    return response && { ...response, headers: { ...limits, ...response.headers } };
  };
}

function limitHeaders({ remaining, reset }: NonNullable<FakeState['rateLimit']>): Record<string, string> {
  return { 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': String(reset) };
}

export function loginOf(state: FakeState, authorization: string | undefined): string | undefined {
  const token = tokenOf(authorization ?? '');
  return state.tokens.get(token) ?? (isInstallationToken(state, authorization) ? '' : undefined);
}

/** Reads the token, which some providers take as the password of Basic authentication. */
function tokenOf(authorization: string): string {
  const [, scheme = '', text = ''] = /^(Bearer|token|Basic) (.+)$/.exec(authorization) ?? [];
  return scheme === 'Basic'
    ? Buffer.from(text, 'base64')
        .toString()
        .replace(/^[^:]*:/, '')
    : text;
}

function userOf({ address }: FakeState, login: string) {
  return { login, id: 7, avatar_url: `${address}/${login}.png`, html_url: `${address}/${login}`, type: 'User' };
}

export function sorted({ repositories }: FakeState): FakeRepository[] {
  return repositories.toReversed();
}

export function repositoryBody(state: FakeState, { id, fullName, defaultBranch, isPrivate, git }: FakeRepository) {
  const [owner = '', name] = fullName.split('/');
  return {
    ...{
      id,
      name,
      full_name: fullName,
      private: isPrivate,
      owner: userOf(state, owner),
      default_branch: defaultBranch,
    },
    ...{ html_url: `${state.address}/${fullName}`, clone_url: git.url, fork: false },
  };
}

function pullBody(state: FakeState, base: FakeRepository, pull: FakePull) {
  const { number, title, body, isMerged, isDraft, head, headRef, headId, baseRef, mergeBase } = pull;
  const merged =
    state.flavour === 'gitea'
      ? { merged: isMerged, merge_base: mergeBase }
      : { merged_at: isMerged ? '2026-01-01T00:00:00Z' : null };
  return {
    ...{
      number,
      state: pull.state,
      title,
      body,
      draft: isDraft,
      ...merged,
      html_url: `${state.address}/${base.fullName}/pull/${number}`,
    },
    user: userOf(state, head?.fullName.split('/')[0] ?? 'ada'),
    head: { ref: headRef, sha: headId, repo: head && repositoryBody(state, head) },
    base: { ref: baseRef, repo: repositoryBody(state, base) },
  };
}

/** Returns a page of a list. GitHub answers with an ETag, Gitea without. */
export function listed(
  state: FakeState,
  { query, path, headers }: FakeRequest,
  items: readonly unknown[],
): FakeResponse {
  const size = Number(query.get(state.flavour === 'gitea' ? 'limit' : 'per_page') ?? 30);
  const page = Number(query.get('page') ?? 1);
  const body = items.slice((page - 1) * size, page * size);
  const next = new URLSearchParams({ ...Object.fromEntries(query), page: String(page + 1) });
  const link = items.length > page * size ? { link: `<${state.address}${path}?${next}>; rel="next"` } : {};
  if (state.flavour === 'gitea') return { headers: link, body };
  const etag = `W/"${createHash('sha256').update(JSON.stringify(body)).digest('hex')}"`;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { ...link, etag } };
  return { headers: { ...link, etag }, body };
}

/** GitHub redirects to the id with 301 and 307, Gitea to the new name with 301. */
function redirectToNew(
  { flavour, address }: FakeState,
  renamed: FakeRepository,
  { method, path, query }: FakeRequest,
  oldName: string,
): FakeResponse {
  const target =
    flavour === 'github' && method === 'GET' && path.endsWith(oldName)
      ? `/repositories/${renamed.id}`
      : path.replace(oldName, renamed.fullName);
  const location = `${address}${target}${query.size > 0 ? `?${query}` : ''}`;
  return { status: flavour === 'github' && method !== 'GET' ? 307 : 301, headers: { location } };
}

/** Returns the comments of a pull request. */
export function commentsOf({ comments }: FakeState, repositoryId: number, of: string | undefined): FakeReport[] {
  return comments.filter((comment) => comment.repositoryId === repositoryId && comment.of === of);
}

export function added(list: FakeReport[], repositoryId: number, of: string | undefined, body: unknown) {
  const report = { id: list.length + 1001, repositoryId, of: of ?? '', body };
  list.push(report);
  return { id: report.id };
}

export function changed(list: readonly FakeReport[], id: string | undefined, body: object): FakeResponse | undefined {
  const report = list.find((each) => String(each.id) === id);
  if (!report) return undefined;
  report.body = { ...report.body, ...body };
  return { body: { id: report.id } };
}

function validationError(detail: string): FakeResponse {
  return {
    status: 422,
    body: { message: 'Validation Failed', errors: [{ resource: 'Hook', code: 'custom', message: detail }] },
  };
}

function notAccessible(): FakeResponse {
  return { status: FORBIDDEN, body: { message: 'You must authenticate via a GitHub App.' } };
}
