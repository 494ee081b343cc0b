import { randomUUID } from 'node:crypto';
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
import type { FakeRequest, FakeRoute } from './fake-server.ts';
import type { FakeHook, FakePull, FakeRepository, FakeState } from './fake-state.ts';
import { added, changed, commentsOf } from './github-api.ts';
import { oauthRoutes } from './oauth-routes.ts';

const REPOSITORY = '/([^/]+)/_apis/git/repositories/([0-9a-f-]{36})';
const HOOKS = '/([^/]+)/_apis/hooks/subscriptions';
const namesOf = ({ fullName }: FakeRepository): string[] => fullName.split('/');
const organizationOf = (repository: FakeRepository): string => namesOf(repository)[0] ?? '';

/**
 * Azure DevOps; the hosts of profiles and of Microsoft Entra are this server, too. Full names are
 * `organization/project/_git/repository`. Shapes: `azure-devops-node-api`.
 */
export const AZURE: FakeDialect = {
  apiPath: '',
  routes: (state) => ({
    ...apiRoutesBelow(state, '', routesOf(state)),
    ...oauthRoutes(state, {
      authorize: '/organizations/oauth2/v2.0/authorize',
      token: '/organizations/oauth2/v2.0/token',
    }),
  }),
  push: (state, repository, { ref, before, after }) =>
    eventOf('git.push', {
      ...{ repository: repositoryBody(state, repository), pushedBy: ada(state) },
      refUpdates: [{ name: ref, oldObjectId: before, newObjectId: after }],
    }),
  pull: (state, repository, pull, action) =>
    eventOf(
      action === 'opened' ? 'git.pullrequest.created' : 'git.pullrequest.updated',
      pullBody(state, repository, pull),
    ),
  headers: (_event, { secret }) => ({ authorization: `Basic ${Buffer.from(secret).toString('base64')}` }),
};

function eventOf(event: string, resource: object) {
  return {
    event,
    payload: { id: randomUUID(), eventType: event, publisherId: 'tfs', resource, resourceVersion: '1.0' },
  };
}

function routesOf(state: FakeState): Record<string, FakeRoute> {
  const repositoryRoute =
    (
      answer: (repository: FakeRepository, request: FakeRequest, match: RegExpMatchArray) => ReturnType<FakeRoute>,
    ): FakeRoute =>
    (request, match) => {
      const found = state.repositories.find((each) => isIn(each, match[1]) && uuidOf(each.id) === match[2]);
      return found && answer(found, request, match);
    };
  const listOf = (organization: string | undefined, project?: string) => {
    const found = state.repositories.filter(
      (each) => isIn(each, organization) && (project === undefined || namesOf(each)[1] === project),
    );
    return { body: { count: found.length, value: found.map((each) => repositoryBody(state, each)) } };
  };
  return {
    'GET /_apis/profile/profiles/me': () => ({ body: { id: uuidOf(7), displayName: 'ada' } }),
    'GET /_apis/accounts': () => {
      const names = new Set(state.repositories.map(organizationOf));
      return { body: { count: names.size, value: [...names].map((accountName) => ({ accountName })) } };
    },
    'GET /([^/]+)/_apis/connectionData': () => ({
      body: { authenticatedUser: { id: uuidOf(7), providerDisplayName: 'ada' } },
    }),
    'GET /([^/]+)/_apis/git/repositories': (_request, match) => listOf(match[1]),
    'GET /([^/]+)/([^/]+)/_apis/git/repositories': (_request, match) => listOf(match[1], match[2]),
    [`GET ${REPOSITORY}`]: repositoryRoute((repository) => ({ body: repositoryBody(state, repository) })),
    'GET /([^/]+)/([^/]+)/_apis/git/repositories/([^/]+)': (_request, [, organization, project, name]) => {
      const fullName = `${organization}/${project}/_git/${name}`;
      const found = state.repositories.find((each) => each.fullName === fullName);
      return found && { body: repositoryBody(state, found) };
    },
    [`GET ${REPOSITORY}/pullrequests`]: repositoryRoute((repository, { query }) => {
      const open = repository.pulls.filter((pull) => pull.state === 'open').toReversed();
      const [skip, top] = [Number(query.get('$skip')), Number(query.get('$top'))];
      return { body: { value: open.slice(skip, skip + top).map((pull) => pullBody(state, repository, pull)) } };
    }),
    [`GET ${REPOSITORY}/pullrequests/(\\d+)`]: repositoryRoute((repository, _request, match) => {
      const pull = repository.pulls.find(({ number }) => String(number) === match[3]);
      return pull && { body: pullBody(state, repository, pull) };
    }),
    [`POST ${REPOSITORY}/(?:commits/\\w+|pullrequests/\\d+)/statuses`]: repositoryRoute(({ id }, { body, path }) => ({
      status: 201,
      body: added(state.statuses, id, path.split('/').at(-2), body),
    })),
    [`POST ${REPOSITORY}/pullrequests/(\\d+)/threads`]: repositoryRoute(({ id }, { body }, match) => {
      const made = added(state.comments, id, match[3], body.comments[0]);
      return { body: { id: made.id, comments: [{ id: 1 }] } };
    }),
    [`GET ${REPOSITORY}/pullrequests/(\\d+)/threads`]: repositoryRoute(({ id }, _request, match) => ({
      body: {
        value: commentsOf(state, id, match[3]).map(({ id: thread, body: { content } }) => ({
          ...{ id: thread, comments: [{ id: 1, content }] },
        })),
      },
    })),
    [`PATCH ${REPOSITORY}/pullrequests/\\d+/threads/(\\d+)/comments/1`]: repositoryRoute(
      (_repository, { body }, match) => changed(state.comments, match[3], body),
    ),
    ...hookRoutes(state),
  };
}

/** Subscriptions belong to the organization, and name their repository. */
function hookRoutes({ repositories }: FakeState): Record<string, FakeRoute> {
  const ownerOf = (uuid: string | undefined): FakeRepository | undefined =>
    repositories.find(({ hooks }) => hooks.some((hook) => subscriptionId(hook) === uuid));
  return {
    [`GET ${HOOKS}`]: (_request, match) => {
      const own = repositories.filter((each) => isIn(each, match[1]));
      return { body: { value: own.flatMap(({ hooks }) => hooks.map(hookBody)) } };
    },
    [`POST ${HOOKS}`]: ({ body }) => {
      const repository = repositories.find(({ id }) => uuidOf(id) === body.publisherInputs.repository);
      if (!repository) return { status: 400, body: { message: 'no such repository' } };
      const hook = addHook(repository, hookOf(body));
      return { body: hookBody(hook) };
    },
    [`PUT ${HOOKS}/([0-9a-f-]+)`]: ({ body }, match) => {
      const repository = ownerOf(match[2]);
      const hook = repository && changeHook(repository, String(numberOf(match[2] ?? '')), hookOf(body));
      return hook && { body: hookBody(hook) };
    },
    [`DELETE ${HOOKS}/([0-9a-f-]+)`]: (_request, match) => {
      const repository = ownerOf(match[2]);
      return repository && deleteHook(repository, String(numberOf(match[2] ?? '')));
    },
  };
}

const isIn = (repository: FakeRepository, organization: string | undefined): boolean =>
  organizationOf(repository).toLowerCase() === organization?.toLowerCase();

function repositoryBody({ address }: FakeState, repository: FakeRepository) {
  const { id, fullName, defaultBranch, isPrivate, git } = repository;
  const [organization = '', project = ''] = namesOf(repository);
  return {
    ...{ id: uuidOf(id), name: lastName(fullName), defaultBranch: `refs/heads/${defaultBranch}` },
    project: { id: uuidOf(1), name: project, visibility: isPrivate ? 'private' : 'public' },
    // Azure DevOps names the organization in this URL.
    ...{
      remoteUrl: git.url.replace('http://', `http://${organization}@`),
      webUrl: encodeURI(`${address}/${fullName}`),
    },
  };
}

function pullBody(state: FakeState, base: FakeRepository, pull: FakePull) {
  const { number, title, body, isMerged, isDraft, head, headRef, headId, baseRef } = pull;
  const isFork = head?.id !== base.id;
  return {
    ...{ pullRequestId: number, title, description: body, isDraft, createdBy: ada(state) },
    status: isMerged ? 'completed' : pull.state === 'open' ? 'active' : 'abandoned',
    ...{ sourceRefName: `refs/heads/${headRef}`, targetRefName: `refs/heads/${baseRef}` },
    ...(headId !== '' && { lastMergeSourceCommit: { commitId: headId } }),
    repository: repositoryBody(state, base),
    ...(isFork && { forkSource: { name: `refs/heads/${headRef}`, repository: head && repositoryBody(state, head) } }),
  };
}

const ada = ({ address }: FakeState) => ({
  displayName: 'ada',
  uniqueName: 'ada@example.com',
  imageUrl: `${address}/ada.png`,
});

/** The secret of a hook is `user:password`. */
function hookOf({ eventType, consumerInputs: inputs }: { eventType: string; consumerInputs: Record<string, string> }) {
  const headers = (inputs.httpHeaders ?? '').split('\n').map((line) => line.split(': '));
  return {
    ...{
      url: inputs.url ?? '',
      secret: `${inputs.basicAuthUsername}:${inputs.basicAuthPassword}`,
      events: [eventType],
    },
    headers: Object.fromEntries(headers),
  };
}

const subscriptionId = ({ id }: FakeHook): string => uuidOf(id);
const hookBody = (hook: FakeHook) => ({
  id: subscriptionId(hook),
  eventType: hook.events[0],
  consumerInputs: { url: hook.url },
});
