import { execFile } from 'node:child_process';
import { isDeepStrictEqual, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ALERTS } from '../../../docs/monitoring/alerts.ts';
import { SERIES_LABELS, SUBJECTS } from '../../../docs/monitoring/metrics.ts';
import { ROWS } from '../../../docs/monitoring/panels.ts';
import { version } from '../../../src/version.ts';
import { postgresUrl } from '../../support/databases.ts';
import { startTestServer } from '../../support/server.ts';
import { namedSeries } from './support/expressions.ts';
import { startUsedServer, type UsedServer } from './support/used-server.ts';

const KINDS = postgresUrl === undefined ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const);
const REFERENCE = new Map(SUBJECTS.flatMap(({ metrics }) => metrics.map((metric) => [metric.name, metric] as const)));
/** Metrics that exist only on PostgreSQL. */
const OF_POSTGRES = /^lockkeeper_database_/;

/**
 * Metrics whose labels are unknown before the first event: this server has had no failure and no task, no standby
 * follows its database, it has no backup schedule, and no connection to a VCS provider.
 */
const BEGIN_LATER = [
  ...['run_task_requests_total', 'tls_handshake_errors_total', 'audit_failures_total'],
  ...['lockkeeper_database_replication_lag_seconds', 'lockkeeper_database_replication_lag_bytes'],
  ...['lockkeeper_backup_interval_seconds', 'lockkeeper_vcs_connections', 'lockkeeper_vcs_repositories'],
];

/** Line of the metrics page: `name{label="value"} 1`. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

function samplesOf(page: string): Sample[] {
  return [...page.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text])),
    value: Number(value),
  }));
}

describe.each(KINDS)('the page of metrics of a server that was used, on %s', { timeout: 60_000 }, (kind) => {
  let used: UsedServer;
  let page: string;
  let samples: Sample[];
  const values = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    samples
      .filter((sample) => sample.name === name)
      .filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
      .map(({ value }) => value);

  beforeAll(async () => {
    used = await startUsedServer(kind);
    const { notificationMetrics } = used.server.application.workspaces.execution;
    await vi.waitUntil(() => notificationMetrics.all().some(({ labels }) => labels.outcome === 'delivered'), 15_000);
    page = await used.page();
    samples = samplesOf(page);
  });
  afterAll(() => used.stop());

  it('matches the metrics reference and its descriptions', () => {
    const told = [...page.matchAll(/^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$/gm)].map(([, name = '', help, type]) => [
      name,
      { type, help },
    ]);
    const named = [...REFERENCE.values()]
      .filter(({ name }) => kind === 'postgres' || !OF_POSTGRES.test(name))
      .map(({ name, type, help }) => [name, { type, help }]);
    expect(told.toSorted()).toEqual(named.toSorted());
  });

  it('can be parsed by Prometheus, and our names follow its conventions', async () => {
    const checked = promisify(execFile)('promtool', ['check', 'metrics']);
    checked.child.stdin?.end(page);
    const { stderr = '' } = await checked.catch((error) => error as { stderr: string });
    // The library that collects the process metrics chooses their names.
    expect(stderr.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_'))).toEqual([]);
  });

  it('has only labels of the reference', () => {
    const unknown = samples.filter(({ name, labels }) =>
      Object.keys(labels).some((label) => !SERIES_LABELS.get(name)?.includes(label)),
    );
    expect(unknown).toEqual([]);
  });

  it('has a value for every metric of panels and alerts', () => {
    const expressions = [
      ...ALERTS.map(({ expr }) => expr),
      ...ROWS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))),
    ];
    const looked = new Set(expressions.flatMap(namedSeries));
    looked.delete('up');
    const there = new Set(samples.map(({ name }) => name));
    const missing = [...looked].filter((name) => !there.has(name) && !BEGIN_LATER.includes(name));
    expect(missing.filter((name) => kind === 'postgres' || !OF_POSTGRES.test(name))).toEqual([]);
    expect(looked.size).toBeGreaterThan(30);
  });

  it('shows the status of runs, jobs and agents', () => {
    expect(values('lockkeeper_runs', { status: 'plan_queued' })).toEqual([1]);
    expect(values('lockkeeper_runs', { status: 'planning' })).toEqual([1]);
    expect(values('lockkeeper_jobs_waiting')).toEqual([1]);
    expect(values('lockkeeper_jobs_waiting', { organization: 'acme', pool: 'empty' })).toEqual([1]);
    expect(values('lockkeeper_agents', { organization: 'acme', pool: 'busy', status: 'busy' })).toEqual([1]);
    expect(values('lockkeeper_runs_ended_total', { outcome: 'planned_and_finished' })).toEqual([1]);
    expect(values('lockkeeper_runs_ended_total', { outcome: 'errored' })).toEqual([0]);
    expect(values('lockkeeper_phase_duration_seconds_count', { phase: 'plan', outcome: 'finished' })).toEqual([1]);
    expect(values('lockkeeper_phase_wait_seconds_count', { phase: 'plan' })).toEqual([2]);
    expect(values('lockkeeper_jobs_lost_total')).toEqual([0, 0, 0]);
    expect(values('notification_deliveries_total', { outcome: 'delivered' })).toEqual([1]);
    expect([...new Set(values('lockkeeper_outbox_oldest_seconds'))]).toEqual([0]);
  });

  it('counts states, locks and sign-ins', () => {
    expect(values('lockkeeper_state_uploads_total', { outcome: 'stored' })).toEqual([1]);
    expect(values('lockkeeper_state_uploads_total', { outcome: 'refused' })).toEqual([1]);
    expect(values('lockkeeper_state_upload_bytes_total')[0]).toBeGreaterThan(50);
    expect(values('lockkeeper_workspace_locks_total', { outcome: 'conflict' })).toEqual([1]);
    const signIns = (way: string) => [
      ...values('lockkeeper_sign_ins_total', { way, outcome: 'accepted' }),
      ...values('lockkeeper_sign_ins_total', { way, outcome: 'refused' }),
    ];
    expect(signIns('machine')).toEqual([1, 1]);
    expect(signIns('session')).toEqual([1, 1]);
    expect(signIns('provider')).toEqual([0, 1]);
    expect(signIns('oauth')).toEqual([0, 1]);
    expect(signIns('session_certificate')).toEqual([0, 0]);
  });

  it('shows the resources of the node', () => {
    expect(values('lockkeeper_build_info', { version })).toEqual([1]);
    expect(values('lockkeeper_ready')).toEqual([1]);
    expect(values('lockkeeper_audit_sink_up', { sink: 'file' })).toEqual([1]);
    expect(values('lockkeeper_disk_free_bytes', { volume: 'audit' })[0]).toBeGreaterThan(0);
    // The entry of the buffer.
    expect(values('lockkeeper_disk_free_bytes', { volume: 'audit-2' })[0]).toBeGreaterThan(0);
    expect(values('lockkeeper_schema_step', { set: 'workspaces', of: 'known' })).toEqual(
      values('lockkeeper_schema_step', { set: 'workspaces', of: 'applied' }),
    );
    const [ends = 0] = values('lockkeeper_tls_certificate_expiry_timestamp_seconds');
    expect(ends * 1000).toBeGreaterThan(used.server.now());
    expect(values('lockkeeper_role_authorities', { mount: 'cert' })).toEqual([1]);
    expect(values('lockkeeper_crls', { mount: 'cert' })).toEqual([1]);
    expect(values('lockkeeper_crls_stale', { mount: 'cert' })).toEqual([0]);
  });

  it('counts a job when its agent is lost', async () => {
    await used.loseJob();
    samples = samplesOf(await used.page());
    expect(values('lockkeeper_jobs_lost_total', { outcome: 'errored' })).toEqual([1]);
    expect(values('lockkeeper_runs_ended_total', { outcome: 'errored' })).toEqual([1]);
    expect(values('lockkeeper_phase_duration_seconds_count', { phase: 'plan', outcome: 'errored' })).toEqual([1]);
  });

  it('has the same shared metrics on two nodes, and separate metrics of each node', async () => {
    const beside = await startTestServer(kind, { beside: used.server, services: ['metrics'] });
    onTestFinished(() => beside.stop());
    beside.advance((used.server.now() - beside.now()) / 1000);
    await used.server.user('GET', '/api/v2/organizations/acme');
    const pages = async () => [await used.page(), (await beside.call('GET', '/metrics')).text].map(samplesOf);
    const of = async (name: RegExp) => (await pages()).map((those) => those.filter((one) => name.test(one.name)));
    // The server caches these metrics for ten seconds.
    const shared = /^lockkeeper_(runs|jobs_waiting|agents|role_authorities|schema_step|outbox_pending)$/;
    await expect.poll(async () => isDeepStrictEqual(...((await of(shared)) as [Sample[], Sample[]]))).toBe(true);
    expect((await of(shared))[0]?.length).toBeGreaterThan(20);
    const ended = (those: Sample[] = []) => those.reduce((sum, { value }) => sum + value, 0);
    expect((await of(/^lockkeeper_runs_ended_total$/)).map(ended)).toEqual([2, 0]);
  });
});
