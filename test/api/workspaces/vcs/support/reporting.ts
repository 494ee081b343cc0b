import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { prefixedId } from '../../../../../src/lib/ids.ts';
import { type Dialect, FileBlobs, sql } from '../../../../../src/storage/index.ts';
import { Delivery } from '../../../../../src/workspaces/delivery/index.ts';
import type { EventDetails, VcsEvent } from '../../../../../src/workspaces/vcs/event/event.ts';
import * as events from '../../../../../src/workspaces/vcs/event/store.ts';
import { bindLink, putLink } from '../../../../../src/workspaces/vcs/link/store.ts';
import type { ReportWorkOptions } from '../../../../../src/workspaces/vcs/report/report-work.ts';
import { type EventToReport, VcsReports } from '../../../../../src/workspaces/vcs/report/reports.ts';
import { upsertRepository } from '../../../../../src/workspaces/vcs/repository/store.ts';
import { type FakeProvider, type FakeRepository, fakeGitea } from '../../../../support/vcs/fake-github.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { created, newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';

export const ADDRESS = 'https://keeper.example.com';
const PAGE = { sender: null, compareUrl: null };
const setStatus = sql<{ id: string; status: string }>('UPDATE oauth_token SET status = :status WHERE id = :id');
const selectOrganization = sql<{ name: string }, { id: string }>('SELECT id FROM organization WHERE name = :name');
const selectReports = sql<Record<string, never>, { problem: string | null; dueAt: number | null }>(
  'SELECT problem, due_at AS "dueAt" FROM vcs_report ORDER BY id',
);

/** A repository that workspaces of an organization follow. */
export interface Followed {
  readonly id: string;
  readonly organization: TestOrganization;
  readonly organizationId: string;
  readonly connectionId: string;
  readonly runs: TestRuns;
  readonly fake: FakeRepository;
}

/** An event to store. */
export interface TestEvent {
  readonly kind: VcsEvent['kind'];
  readonly ref?: string;
  readonly afterId: string | null;
  readonly pull?: { readonly number: number; readonly baseRef?: string; readonly isFork?: boolean };
}

export interface Reporting {
  readonly api: TestApi;
  readonly fake: FakeProvider;
  /** Creates an organization with a repository. */
  follow(settings?: object, connectionStatus?: string): Promise<Followed>;
  /** Adds another connection of the organization to the same repository. */
  followAgain(followed: Followed): Promise<Followed>;
  stop(): Promise<void>;
}

/** Starts a server and a fake Gitea that it may connect to. */
export async function startReporting(kind: Dialect): Promise<Reporting> {
  const fake = await fakeGitea();
  const api = await startApi(kind, FileBlobs, {}, 'none', ADDRESS, { allowedAddresses: ['127.0.0.1'] });
  const { database } = api.workspaces;

  async function connect(
    organization: TestOrganization,
    repository: FakeRepository,
    connectionStatus: string,
  ): Promise<Followed> {
    const attributes = {
      ...{ 'service-provider': 'gitea', 'http-url': fake.httpUrl, 'api-url': fake.apiUrl },
      'oauth-token-string': fake.token,
    };
    const made = await organization.owner.call('POST', `/organizations/${organization.name}/oauth-clients`, {
      data: { type: 'oauth-clients', attributes },
    });
    created(made);
    const connectionId: string = made.body.data.relationships['oauth-tokens'].data[0].id;
    await database.run(setStatus, { id: connectionId, status: connectionStatus });
    const organizationId = (await database.one(selectOrganization, { name: organization.name }))?.id ?? '';
    const described = {
      ...{ providerId: String(repository.id), identifier: repository.fullName, defaultBranch: 'main' },
      ...{ displayIdentifier: repository.fullName, httpUrl: `${fake.httpUrl}/${repository.fullName}` },
      ...{ gitUrl: repository.git.url, isPrivate: true },
    };
    api.advance(1);
    const row = { id: prefixedId('vr', api.now()), organizationId, connectionId, tokenId: connectionId };
    const { id } = await database.transaction((tx) => upsertRepository(tx, row, described, api.now()));
    return { id, organization, organizationId, connectionId, runs: runsOf(api, organization), fake: repository };
  }

  return {
    api,
    fake,
    async follow(settings = {}, connectionStatus = 'ok') {
      const organization = await newOrganization(api, settings);
      const fakeRepository = await fake.createRepository(`acme/${organization.name}`);
      return connect(organization, fakeRepository, connectionStatus);
    },
    followAgain: ({ organization, fake: fakeRepository }) => connect(organization, fakeRepository, 'ok'),
    async stop() {
      await api.close();
      await fake.stop();
    },
  };
}

/** Short functions for the events of a repository, which look-ups store otherwise. */
export function eventsOf({ api }: Reporting, followed: Followed) {
  const { database, vcs } = api.workspaces;
  const { id: repositoryId, organizationId, connectionId, runs } = followed;
  const commitOf = new Map<string, TestEvent>();
  const stored = new Map<string, EventToReport>();

  /** Creates a workspace that follows a branch; null for the default branch. */
  async function workspace(name: string, branch: string | null = null): Promise<string> {
    const workspaceId = await runs.workspace(name);
    await database.transaction(async (tx) => {
      const link = { workspaceId, organizationId, connectionId, branch, followsTags: 0, firstRun: 0 };
      await putLink(tx, { ...link, identifier: followed.fake.fullName }, api.now());
      await bindLink(tx, workspaceId, repositoryId, null);
    });
    return workspaceId;
  }

  async function add(event: TestEvent): Promise<string> {
    api.advance(1);
    const id = `ve-${String(api.now()).padStart(16, '0')}-${randomUUID().slice(0, 8)}`;
    const { number, baseRef = 'main', isFork = false } = event.pull ?? { number: 0 };
    const texts = { title: 'Title', body: 'Body', url: `${ADDRESS}/pull`, isDraft: false, mergeBaseId: null };
    const details: EventDetails = { ...PAGE, pull: event.pull ? { number, baseRef, isFork, ...texts } : null };
    const ref = event.ref ?? (event.pull ? 'feature' : 'main');
    const row = { id, organizationId, repositoryId, workspaceId: null, kind: event.kind, ref, beforeId: null };
    await database.transaction(async (tx) => {
      await events.insertEvent(tx, { ...row, afterId: event.afterId, details, target: 'test' }, api.now());
      const added = { id, repositoryId, afterId: event.afterId, details: JSON.stringify(details) };
      await vcs.reports.eventAdded(tx, added, api.now());
      stored.set(id, added);
    });
    commitOf.set(id, event);
    return id;
  }

  /** Stores a verdict: a run of the commit, or the code of the rule that decided against one. */
  async function verdict(eventId: string, workspaceId: string, of: { run: string } | { code: string }): Promise<void> {
    const { kind, afterId, pull } = commitOf.get(eventId) as TestEvent;
    const code = 'code' in of ? of.code : 'whole-repository';
    const runId = 'run' in of ? of.run : null;
    const outcome = runId === null ? 'skipped' : kind === 'pull' ? 'speculative' : 'run';
    await database.transaction(async (tx) => {
      const detail = JSON.stringify({ outcome, code, checks: [], untrusted: false });
      await events.insertVerdict(tx, { eventId, workspaceId, outcome, detail, runId }, api.now());
      if (runId === null) return;
      const key = { workspaceId, commitId: afterId ?? '', kind };
      await events.reserveRun(tx, key, { eventId, pullNumber: pull?.number ?? null }, api.now());
      await events.setRun(tx, key, runId);
    });
  }

  /** Starts a run of the commit in each workspace. Returns the runs. */
  async function start(eventId: string, workspaceIds: readonly string[], attributes: object = {}): Promise<string[]> {
    const isPull = commitOf.get(eventId)?.kind === 'pull';
    const ids: string[] = [];
    for (const workspaceId of workspaceIds) {
      const run = await runs.run(workspaceId, { 'plan-only': isPull, ...attributes });
      await verdict(eventId, workspaceId, { run });
      ids.push(run);
    }
    return ids;
  }

  async function end(eventId: string, state: 'done' | 'failed' = 'done'): Promise<void> {
    await database.transaction(async (tx) => {
      await events.setEventState(tx, eventId, state, null);
      await vcs.reports.eventDone(tx, stored.get(eventId) as EventToReport, api.now());
    });
  }

  /** Finishes the plan of a run. @param counts resources to add, change and destroy; none: no changes */
  async function plan(run: string, counts?: readonly [number, number, number]): Promise<void> {
    const [add = 0, change = 0, destroy = 0] = counts ?? [];
    expect((await runs.report(run, 'planning')).status).toBe(200);
    const answer = await runs.report(run, 'planned', {
      ...{ 'has-changes': counts !== undefined, 'resource-additions': add },
      ...{ 'resource-changes': change, 'resource-destructions': destroy },
    });
    expect(answer.status, answer.text).toBe(200);
  }

  return { workspace, add, verdict, start, end, plan };
}

/** Sends everything that is due. */
export async function deliver({ loop }: Pick<VcsReports, 'loop'>): Promise<void> {
  // A report may be due again, and a connection has few at a time.
  for (let round = 0; round < 3; round++) {
    await loop.begin();
    await loop.settled();
  }
}

/** Creates another node on the same database. */
export function otherNode(
  { api }: Reporting,
  connections: ReportWorkOptions['connections'] = api.workspaces.vcs.connections,
): VcsReports {
  const { database, tenancy, vcs } = api.workspaces;
  const report = (error: unknown) => {
    throw error;
  };
  return new VcsReports(new Delivery({ database, clock: api.now, report }), {
    ...{ database, clock: api.now, hooks: vcs.hooks, connections, address: ADDRESS },
    organizations: tenancy.organizations,
  });
}

/** Returns the reports of the database with their problems. */
export function storedReports({ api }: Reporting) {
  return api.workspaces.database.all(selectReports, {});
}

/** Returns a commit id. */
export function commitId(name: string): string {
  return createHash('sha1').update(name).digest('hex');
}
