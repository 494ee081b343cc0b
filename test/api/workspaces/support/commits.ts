import { sql } from '../../../../src/storage/index.ts';
import type { CommitRun, FetchedCommit, IngressAttributes } from '../../../../src/workspaces/vcs/index.ts';
import { archive } from '../../../support/samples/archive.ts';
import type { TestApi } from './api.ts';
import type { TestOrganization } from './organization.ts';

const organizationId = sql<{ name: string }, { id: string }>('SELECT id FROM organization WHERE name = :name');
const insertRepository = sql<{ id: string; organizationId: string; connectionId: string; now: number }>(
  `INSERT INTO vcs_repository (id, organization_id, connection_id, provider_id, identifier, display_identifier,
     http_url, git_url, is_private, health, health_since, described_at, created_at, target)
   VALUES (:id, :organizationId, :connectionId, '1', 'acme/network', 'acme/network', 'https://git.example.com/acme/network',
     'https://git.example.com/acme/network.git', 0, 'ok', :now, :now, :now, :id)`,
);
const insertEvent = sql<{ id: string; organizationId: string; repositoryId: string; details: string; now: number }>(
  `INSERT INTO vcs_event (id, organization_id, repository_id, kind, ref, after_id, details, state, created_at, target)
   VALUES (:id, :organizationId, :repositoryId, 'push', 'main', :id, :details, 'done', :now, :id)`,
);
const insertArchive = sql<{
  id: string;
  organizationId: string;
  repositoryId: string;
  blobName: string;
  size: number;
  now: number;
}>(
  `INSERT INTO vcs_archive (id, organization_id, repository_id, commit_id, submodules, blob_name, size, notes, used_at)
   VALUES (:id, :organizationId, :repositoryId, :id, 0, :blobName, :size, '[]', :now)`,
);

export const INGRESS: IngressAttributes = {
  branch: 'main',
  cloneUrl: 'https://git.example.com/acme/network.git',
  commitMessage: 'Open port 443\n\nThe load balancer needs it.',
  commitSha: 'ab'.repeat(20),
  commitUrl: 'https://git.example.com/acme/network/commit/abab',
  compareUrl: 'https://git.example.com/acme/network/compare/cdcd...abab',
  identifier: 'acme/network',
  isPullRequest: false,
  onDefaultBranch: true,
  pullRequestNumber: null,
  pullRequestUrl: null,
  pullRequestTitle: null,
  pullRequestBody: null,
  tag: null,
  senderUsername: 'grace',
  senderAvatarUrl: 'https://git.example.com/avatars/grace',
  senderHtmlUrl: 'https://git.example.com/grace',
};

/** Ingress attributes of a pull request. */
export const PULL: IngressAttributes = {
  ...INGRESS,
  branch: 'port-443',
  isPullRequest: true,
  onDefaultBranch: false,
  pullRequestNumber: 7,
  pullRequestUrl: 'https://git.example.com/acme/network/pulls/7',
  pullRequestTitle: 'Open port 443',
  pullRequestBody: '<script>alert(1)</script> @everyone',
};

let count = 0;

/** Short functions for commits of one organization, as the vcs module has them after an event. */
export function commitsOf(api: TestApi, acme: TestOrganization) {
  const { database, vcs } = api.workspaces;
  const repositoryId = `vcsrepo-${++count}`;
  let owner: Promise<string> | undefined;

  async function repository(id = repositoryId, connectionId = id): Promise<string> {
    const organization = (await database.one(organizationId, { name: acme.name }))?.id ?? '';
    await database.run(insertRepository, { id, organizationId: organization, connectionId, now: api.now() });
    return organization;
  }

  /** Stores an event of a repository of a connection, which is the token of an OAuth client. */
  async function event(connectionId: string): Promise<void> {
    const id = `vcsrepo-${++count}`;
    const organization = await repository(id, connectionId);
    const details = JSON.stringify({ sender: null, compareUrl: null, pull: null });
    const row = { id: `ve-${count}`, organizationId: organization, repositoryId: id, details, now: api.now() };
    await database.run(insertEvent, row);
  }

  /** Stores the files of a commit, and returns the id of their archive. */
  async function stored(files: Parameters<typeof archive>[0] = 'one'): Promise<string> {
    owner ??= repository();
    const organization = await owner;
    const id = `vcsarc-${++count}`;
    const options = { owner: { organizationId: organization }, kind: 'commit', maxBytes: 1_000_000 };
    await api.blobs.write([archive(files)], options, (draft) =>
      database.transaction(async (tx) => {
        const blobName = await api.blobs.keep(tx, draft);
        const row = { id, organizationId: organization, repositoryId, blobName, size: draft.size, now: api.now() };
        await tx.run(insertArchive, row);
      }),
    );
    return id;
  }

  /** Starts the run of a commit. */
  async function start(workspaceId: string, request: Partial<CommitRun> = {}) {
    api.advance(1);
    const archiveId = request.archiveId ?? (await stored());
    const ingress = request.ingress ?? INGRESS;
    const whole = { source: 'gitea', speculative: false, message: ingress.commitMessage, ingress };
    return database.transaction((tx) =>
      vcs.hooks.commitRuns.start(tx, { ...whole, ...request, workspaceId, archiveId }, api.now()),
    );
  }

  /** Starts the run of a commit, and returns its id and that of its configuration version. */
  async function run(workspaceId: string, request: Partial<CommitRun> = {}) {
    const started = await start(workspaceId, request);
    if ('refusal' in started) throw new Error(started.refusal);
    return started;
  }

  /** Returns a commit as a fetch by hand finds it. */
  async function fetched(files?: Parameters<typeof archive>[0]): Promise<FetchedCommit> {
    return { archiveId: await stored(files), source: 'gitea', ingress: INGRESS };
  }

  return { stored, start, run, fetched, event };
}
