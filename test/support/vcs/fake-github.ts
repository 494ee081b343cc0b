import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { type GitServer, startGitServer } from '../git-server.ts';
import type { FakeDialect, FakeEvent } from './fake-dialect.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';
import type { FakePull, FakeRepository, FakeState, Flavour } from './fake-state.ts';
import { apiRoutes } from './github-api.ts';
import { appRoutes } from './github-app.ts';
import { oauthRoutes } from './oauth-routes.ts';

export {
  type FakeHook,
  type FakePull,
  type FakeRepository,
  type FakeState,
  type Flavour,
  NO_COMMIT,
} from './fake-state.ts';

/** A provider on loopback that answers like GitHub or Gitea, for tests of adapters and of the whole server. */
export interface FakeProvider extends FakeState {
  readonly server: FakeServer;
  readonly git: GitServer;
  readonly apiUrl: string;
  readonly httpUrl: string;
  /** Token of the account `ada`. */
  readonly token: string;
  /** Creates a repository with one commit on `main`. */
  createRepository(fullName: string): Promise<FakeRepository>;
  /** Creates a copy of a repository that belongs to somebody else. */
  fork(repository: FakeRepository, owner: string): Promise<FakeRepository>;
  /** Gives a repository another name, to which the old one leads. */
  rename(repository: FakeRepository, fullName: string): void;
  /** Opens a pull request from a branch of the repository, or of a fork. */
  openPull(base: FakeRepository, branch: string, from?: FakeRepository): Promise<FakePull>;
  /** Reads the newest commit of the branch of a pull request. */
  updatePull(base: FakeRepository, pull: FakePull): Promise<void>;
  /** Sends an event to the hooks of a repository, and to the Apps. Returns the statuses of the receivers. */
  deliver(repository: FakeRepository, event: string, payload: object): Promise<number[]>;
  /** Delivers a push of a branch or tag, such as `refs/heads/main`. */
  deliverPush(repository: FakeRepository, ref: string, before: string, after: string): Promise<number[]>;
  deliverPull(repository: FakeRepository, pull: FakePull, action: string): Promise<number[]>;
  stop(): Promise<void>;
}

export const fakeGitHub = (): Promise<FakeProvider> => startFake('github');
export const fakeGitea = (): Promise<FakeProvider> => startFake('gitea');

/** @param dialect of a provider that is neither GitHub nor Gitea */
export async function startFake(flavour: Flavour, dialect?: FakeDialect): Promise<FakeProvider> {
  const git = await startGitServer();
  const token = `token-${randomBytes(16).toString('hex')}`;
  const state: FakeState = {
    ...{ flavour, repositories: [], statuses: [], checks: [], comments: [], tokens: new Map([[token, 'ada']]) },
    oauth: {
      clientId: 'client-1',
      clientSecret: `secret-${randomUUID()}`,
      expiresIn: flavour === 'github' ? undefined : 3600,
    },
    ...{ refreshTokens: new Map(), rateLimit: undefined, apps: new Map(), address: '', clock: Date.now },
  };
  const routes = dialect?.routes(state) ?? { ...apiRoutes(state), ...oauthRoutes(state), ...appRoutes(state) };
  const server = await startFakeServer(routes);
  state.address = server.address;
  const create = async (fullName: string): Promise<FakeRepository> => {
    const repository: FakeRepository = {
      ...{ id: state.repositories.length + 101, fullName, oldNames: [], defaultBranch: 'main', isPrivate: true },
      ...{ pulls: [], hooks: [], git: await git.createRepository(`${fullName}.git`) },
    };
    state.repositories.push(repository);
    return repository;
  };
  const fake: FakeProvider = Object.assign(state, {
    ...{ server, git, token, httpUrl: server.address },
    apiUrl: server.address + (dialect?.apiPath ?? (flavour === 'gitea' ? '/api/v1' : '')),
    createRepository: async (fullName: string) => {
      const repository = await create(fullName);
      await repository.git.commit({ 'main.tf': '# first\n' }, 'first');
      return repository;
    },
    fork: async (origin: FakeRepository, owner: string) => {
      const repository = await create([owner, ...origin.fullName.split('/').slice(1)].join('/'));
      await repository.git.git('fetch', '--quiet', origin.git.folder, '+refs/heads/*:refs/heads/*');
      await repository.git.git('reset', '--quiet', '--hard', 'main');
      return repository;
    },
    rename: (repository: FakeRepository, fullName: string) => {
      repository.oldNames.push(repository.fullName);
      repository.fullName = fullName;
    },
    openPull: async (base: FakeRepository, headRef: string, head: FakeRepository = base) => {
      const pull: FakePull = {
        ...{
          number: base.pulls.length + 1,
          title: `Change of ${headRef}`,
          body: 'Why',
          state: 'open',
          isMerged: false,
        },
        ...{ isDraft: false, baseRef: base.defaultBranch, head, headRef, headId: '', mergeBase: '', updatedAt: 0 },
      };
      base.pulls.push(pull);
      await fake.updatePull(base, pull);
      return pull;
    },
    updatePull: async (base: FakeRepository, pull: FakePull) => {
      if (!pull.head) return;
      const ref = `refs/pull/${pull.number}/head`;
      await base.git.git('fetch', '--quiet', pull.head.git.folder, `+refs/heads/${pull.headRef}:${ref}`);
      pull.headId = await base.git.id(ref);
      pull.mergeBase = await base.git.git('merge-base', `refs/heads/${pull.baseRef}`, ref);
      pull.updatedAt++;
    },
    deliver: (repository: FakeRepository, event: string, payload: object) => deliver(state, repository, event, payload),
    deliverPush: (repository: FakeRepository, ref: string, before: string, after: string) => {
      if (dialect) return send(dialect, repository, dialect.push(state, repository, { ref, before, after }));
      const compare = `${state.address}/${repository.fullName}/compare/${before}...${after}`;
      const link = flavour === 'gitea' ? { compare_url: compare } : { compare };
      return fake.deliver(repository, 'push', { ref, before, after, ...link });
    },
    deliverPull: (repository: FakeRepository, pull: FakePull, action: string) =>
      dialect
        ? send(dialect, repository, dialect.pull(state, repository, pull, action))
        : fake.deliver(repository, 'pull_request', { action, number: pull.number }),
    stop: async () => {
      await server.stop();
      await git.stop();
    },
  } satisfies Omit<FakeProvider, keyof FakeState>);
  return fake;
}

/** Sends an event to the hooks that want it. */
async function send(dialect: FakeDialect, { hooks }: FakeRepository, { event, payload }: FakeEvent): Promise<number[]> {
  const body = JSON.stringify(payload);
  const wanted = hooks.filter(({ events }) => events.includes(event));
  return await Promise.all(
    wanted.map(async (hook) => {
      const headers = { 'content-type': 'application/json', ...hook.headers, ...dialect.headers(event, hook, body) };
      const response = await fetch(hook.url, { method: 'POST', body, headers, redirect: 'manual' });
      await response.bytes();
      return response.status;
    }),
  );
}

async function deliver(
  state: FakeState,
  { id, fullName, hooks }: FakeRepository,
  event: string,
  payload: object,
): Promise<number[]> {
  const { flavour, address } = state;
  const sender = { login: 'ada', avatar_url: `${address}/ada.png`, html_url: `${address}/ada` };
  const common = { repository: { id, full_name: fullName }, sender, ...payload };
  const apps = [...state.apps.values()].filter(({ hook }) => hook !== undefined);
  const receivers = [
    ...hooks.filter(({ events }) => events.includes(event)).map((hook) => ({ hook, body: common })),
    ...apps.flatMap(({ hook, installations }) =>
      installations.map((one) => ({ hook, body: { ...common, installation: { id: one.id } } })),
    ),
  ];
  return await Promise.all(
    receivers.map(async ({ hook, body }) => {
      const bytes = JSON.stringify(body);
      const headers = deliveryHeaders(flavour, event, hook?.secret ?? '', bytes);
      const response = await fetch(hook?.url ?? '', { method: 'POST', body: bytes, headers, redirect: 'manual' });
      await response.bytes();
      return response.status;
    }),
  );
}

/** Returns the headers of a delivery as the provider sends them. */
export function deliveryHeaders(
  flavour: Flavour,
  event: string,
  secret: string,
  body: string | Uint8Array,
): Record<string, string> {
  const mac = createHmac('sha256', secret).update(body).digest('hex');
  const id = randomUUID();
  return {
    'content-type': 'application/json',
    ...{ 'x-github-event': event, 'x-github-delivery': id, 'x-hub-signature-256': `sha256=${mac}` },
    ...(flavour === 'gitea' && { 'x-gitea-event': event, 'x-gitea-delivery': id, 'x-gitea-signature': mac }),
  };
}
