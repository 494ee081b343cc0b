/** Alert rules. Each has a runbook in docs/operations/runbooks.md. */

export interface Alert {
  /** Name of the alert, and heading of its runbook. */
  readonly name: string;
  readonly severity: 'critical' | 'warning';
  readonly expr: string;
  /** Time for which the expression must hold before the alert fires. */
  readonly for: string;
  /** Text of the notification; may use the labels of the expression. */
  readonly summary: string;
}

export interface AlertGroup {
  readonly name: string;
  readonly alerts: readonly Alert[];
}

/** Job of the scrape configuration (docs/operations/monitoring.md). */
const JOB = 'job="lockkeeper"';
const POOL = 'organization, pool';
const DAY = 24 * 3600;
const MIB = 1_048_576;

/** Excludes health checks: they get 503 from a node that is not ready, which is no error. */
const ASKED = `${JOB},service!~"health|metrics|none"`;
const errors = `sum by (service) (rate(http_requests_total{${ASKED},status=~"5.."}[5m]))`;
const requests = `sum by (service) (rate(http_requests_total{${ASKED}}[5m]))`;
const refused = (range: string) =>
  `sum by (way) (increase(lockkeeper_sign_ins_total{${JOB},outcome="refused"}[${range}))`;

export const ALERT_GROUPS: readonly AlertGroup[] = [
  {
    name: 'lockkeeper-nodes',
    alerts: [
      {
        name: 'LockkeeperInstanceDown',
        severity: 'critical',
        expr: `up{${JOB}} == 0`,
        for: '2m',
        summary: '{{ $labels.instance }} cannot be scraped',
      },
      {
        name: 'LockkeeperNotReady',
        severity: 'critical',
        expr: `lockkeeper_ready{${JOB}} == 0`,
        for: '2m',
        summary: '{{ $labels.instance }} is not ready',
      },
      {
        name: 'LockkeeperSchemasDiffer',
        severity: 'warning',
        expr: `max by (set) (lockkeeper_schema_step{${JOB}}) > min by (set) (lockkeeper_schema_step{${JOB}})`,
        for: '1h',
        summary: 'Nodes have different versions of the schema {{ $labels.set }}',
      },
      {
        name: 'LockkeeperKeyringNotRead',
        severity: 'critical',
        expr: `lockkeeper_keyring_current{${JOB}} == 0`,
        for: '2m',
        summary: '{{ $labels.instance }} cannot read its changed keyring file',
      },
      {
        name: 'LockkeeperKeysDiffer',
        severity: 'warning',
        expr: `lockkeeper_keyring_newest_key{${JOB}} < scalar(max(lockkeeper_keyring_newest_key{${JOB}}))`,
        for: '30m',
        summary: '{{ $labels.instance }} has an older keyring file than other nodes',
      },
      {
        name: 'LockkeeperDiskFull',
        severity: 'critical',
        expr: `lockkeeper_disk_free_bytes{${JOB}} / lockkeeper_disk_size_bytes{${JOB}} < 0.1`,
        for: '5m',
        summary: 'Less than 10 % of disk space is free for {{ $labels.volume }} on {{ $labels.instance }}',
      },
      {
        name: 'LockkeeperDatabasePoolExhausted',
        severity: 'warning',
        expr:
          `rate(lockkeeper_database_wait_seconds_total{${JOB}}[5m]) > 1 ` +
          `or rate(lockkeeper_database_wait_timeouts_total{${JOB}}[5m]) > 0`,
        for: '5m',
        summary: 'Requests on {{ $labels.instance }} wait for a database connection',
      },
      {
        name: 'LockkeeperBackgroundTask',
        severity: 'warning',
        expr: `min by (task) (lockkeeper_background_task_ok{${JOB}}) == 0`,
        for: '5m',
        summary: 'The background task {{ $labels.task }} fails, or has not run for a long time',
      },
      {
        name: 'LockkeeperReplicationLag',
        severity: 'warning',
        // A standby with stopped replay has a lag in bytes, but none in seconds.
        expr:
          `max by (standby) (lockkeeper_database_replication_lag_seconds{${JOB}}) > 30 ` +
          `or max by (standby) (min_over_time(lockkeeper_database_replication_lag_bytes{${JOB}}[10m])) > ${16 * MIB}`,
        for: '5m',
        summary: 'Database standby {{ $labels.standby }} is behind',
      },
    ],
  },
  {
    name: 'lockkeeper-requests',
    alerts: [
      {
        name: 'LockkeeperErrors',
        severity: 'critical',
        // Ignore the ratio if there are almost no requests.
        expr: `${errors} / ${requests} > 0.02 and ${errors} > 0.05`,
        for: '5m',
        summary: 'More than 2 % of {{ $labels.service }} requests fail with 5xx',
      },
      {
        name: 'LockkeeperSlow',
        severity: 'warning',
        expr:
          'histogram_quantile(0.99, sum by (service, le) ' +
          `(rate(http_request_duration_seconds_bucket{${JOB},service=~"access|workspaces"}[5m]))) > 1`,
        for: '10m',
        summary: '1 % of {{ $labels.service }} requests take longer than a second',
      },
      {
        name: 'LockkeeperSignInsRefused',
        severity: 'warning',
        // Compare with the average of the day before: a day has 288 intervals of five minutes.
        expr: `${refused('5m]')} > 50 and ${refused('5m]')} > 5 * ${refused('1d] offset 5m')} / 288`,
        for: '0m',
        summary: 'Many {{ $labels.way }} sign-ins are refused',
      },
      {
        name: 'LockkeeperAuditSinkDown',
        severity: 'critical',
        expr: `lockkeeper_audit_sink_up{${JOB}} == 0`,
        for: '1m',
        summary: 'Audit sink {{ $labels.sink }} on {{ $labels.instance }} accepts no entries',
      },
      {
        name: 'LockkeeperAuditUndelivered',
        severity: 'warning',
        expr: `audit_buffer_age_seconds{${JOB}} > 300`,
        for: '5m',
        summary: 'Audit entries on {{ $labels.instance }} wait for the collector of {{ $labels.sink }}',
      },
      {
        name: 'LockkeeperAuditLineRefused',
        severity: 'warning',
        expr: `audit_buffer_line_refused{${JOB}} == 1`,
        for: '5m',
        summary:
          'The collector of {{ $labels.sink }} refuses an audit entry of {{ $labels.instance }}; later entries wait',
      },
    ],
  },
  {
    name: 'lockkeeper-runs',
    alerts: [
      {
        name: 'LockkeeperJobsWaitWithIdleAgents',
        severity: 'critical',
        expr:
          `max by (${POOL}) (lockkeeper_job_oldest_wait_seconds{${JOB}}) > 300 ` +
          `and on (${POOL}) max by (${POOL}) (lockkeeper_agents{${JOB},status="idle"}) > 0`,
        for: '2m',
        summary: 'Jobs wait in pool {{ $labels.pool }} {{ $labels.organization }} although agents are idle',
      },
      {
        name: 'LockkeeperNoAgents',
        severity: 'warning',
        expr:
          `max by (${POOL}) (lockkeeper_jobs_waiting{${JOB}}) > 0 ` +
          `unless on (${POOL}) max by (${POOL}) (lockkeeper_agents{${JOB},status=~"idle|busy"}) > 0`,
        for: '10m',
        summary: 'Jobs wait in pool {{ $labels.pool }} {{ $labels.organization }}, which has no active agent',
      },
      {
        name: 'LockkeeperJobLost',
        severity: 'warning',
        expr: `sum by (outcome) (increase(lockkeeper_jobs_lost_total{${JOB}}[15m])) > 0`,
        for: '0m',
        summary: 'An agent disappeared during a job ({{ $labels.outcome }})',
      },
      {
        name: 'LockkeeperOutboxStuck',
        severity: 'warning',
        expr: `max by (queue) (lockkeeper_outbox_oldest_seconds{${JOB}}) > 600`,
        for: '2m',
        summary: 'Messages in the outbox {{ $labels.queue }} are not sent',
      },
      {
        name: 'LockkeeperVcsConnectionFails',
        severity: 'warning',
        expr: `max by (status) (lockkeeper_vcs_connections{${JOB},status=~"refused|unreachable"}) > 0`,
        for: '1h',
        summary: '{{ $value }} VCS connections are {{ $labels.status }}, so pushes start no runs',
      },
      {
        name: 'LockkeeperVcsRepositoryFails',
        severity: 'warning',
        expr: `max by (health) (lockkeeper_vcs_repositories{${JOB},health=~"gone|forbidden"}) > 0`,
        for: '1h',
        summary: '{{ $value }} repositories of workspaces are {{ $labels.health }}, so pushes start no runs',
      },
    ],
  },
  {
    name: 'lockkeeper-certificates',
    alerts: [
      {
        name: 'LockkeeperTlsCertificateExpires',
        severity: 'critical',
        expr: `lockkeeper_tls_certificate_expiry_timestamp_seconds{${JOB}} - time() < ${21 * DAY}`,
        for: '1h',
        summary: 'The certificate of {{ $labels.listener }} on {{ $labels.instance }} expires within 21 days',
      },
      {
        name: 'LockkeeperRoleAuthorityExpires',
        severity: 'warning',
        expr: `min by (mount) (lockkeeper_role_authority_next_expiry_timestamp_seconds{${JOB}}) - time() < ${30 * DAY}`,
        for: '1h',
        summary: 'A CA certificate that roles of {{ $labels.mount }} trust expires within 30 days',
      },
      {
        name: 'LockkeeperCrlStale',
        severity: 'critical',
        expr: `max by (mount) (lockkeeper_crls_stale{${JOB}}) > 0`,
        for: '15m',
        summary: 'A CRL of {{ $labels.mount }} is past its next update',
      },
    ],
  },
  {
    name: 'lockkeeper-backup',
    alerts: [
      {
        name: 'LockkeeperBackupOld',
        severity: 'critical',
        // If no backup has succeeded yet, count from the start of the servers.
        expr:
          `time() - (max(lockkeeper_backup_last_success_timestamp_seconds{${JOB}} > 0) or min(process_start_time_seconds{${JOB}})) ` +
          `> max(lockkeeper_backup_interval_seconds{${JOB}}) + ${2 * 3600}`,
        for: '5m',
        summary: 'The scheduled backup is two hours late',
      },
      {
        name: 'LockkeeperBackupFailed',
        severity: 'critical',
        expr: `max(lockkeeper_backup_last_failure_timestamp_seconds{${JOB}}) > max(lockkeeper_backup_last_success_timestamp_seconds{${JOB}})`,
        for: '30m',
        summary: 'The last backup failed, and none succeeded since',
      },
    ],
  },
];

export const ALERTS: readonly Alert[] = ALERT_GROUPS.flatMap(({ alerts }) => alerts);

/** Returns the link to the runbook, with the anchor that GitHub generates for its heading. */
export const runbookOf = ({ name }: Alert): string => `${RUNBOOKS}#${name.toLowerCase()}`;

/** Relative path of the runbooks. Operators prepend the URL of their copy of the pages. */
const RUNBOOKS = 'docs/operations/runbooks.md';
