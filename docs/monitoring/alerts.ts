/** What somebody is told of, and where it stands what to do about it (docs/operations/runbooks.md). */

export interface Alert {
  /** The heading of its runbook. */
  readonly name: string;
  readonly severity: 'critical' | 'warning';
  readonly expr: string;
  /** It has to be so for that long. */
  readonly for: string;
  /** With the labels of the expression. */
  readonly summary: string;
}

export interface AlertGroup {
  readonly name: string;
  readonly alerts: readonly Alert[];
}

/** The job of the scrape configuration (docs/operations/monitoring.md). */
const JOB = 'job="lockkeeper"';
const POOL = 'organization, pool';
const DAY = 24 * 3600;
const MIB = 1_048_576;

/** Whoever asks whether a node is ready is answered 503 when it is not. */
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
        summary: 'Nodes know different steps of the schema {{ $labels.set }}',
      },
      {
        name: 'LockkeeperKeyringNotRead',
        severity: 'critical',
        expr: `lockkeeper_keyring_current{${JOB}} == 0`,
        for: '2m',
        summary: '{{ $labels.instance }} cannot read its keyring file, which has changed',
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
        summary: 'Less than a tenth is free for {{ $labels.volume }} of {{ $labels.instance }}',
      },
      {
        name: 'LockkeeperDatabasePoolExhausted',
        severity: 'warning',
        expr:
          `rate(lockkeeper_database_wait_seconds_total{${JOB}}[5m]) > 1 ` +
          `or rate(lockkeeper_database_wait_timeouts_total{${JOB}}[5m]) > 0`,
        for: '5m',
        summary: 'Requests wait for a connection to the database on {{ $labels.instance }}',
      },
      {
        name: 'LockkeeperReplicationLag',
        severity: 'warning',
        // One that has stopped to apply what it gets is behind by bytes, and not by seconds.
        expr:
          `max by (standby) (lockkeeper_database_replication_lag_seconds{${JOB}}) > 30 ` +
          `or max by (standby) (min_over_time(lockkeeper_database_replication_lag_bytes{${JOB}}[10m])) > ${16 * MIB}`,
        for: '5m',
        summary: 'The standby {{ $labels.standby }} of the database is behind',
      },
    ],
  },
  {
    name: 'lockkeeper-requests',
    alerts: [
      {
        name: 'LockkeeperErrors',
        severity: 'critical',
        // A share of nearly nothing says nothing.
        expr: `${errors} / ${requests} > 0.02 and ${errors} > 0.05`,
        for: '5m',
        summary: 'More than 2 of 100 requests of {{ $labels.service }} are answered with a 5xx',
      },
      {
        name: 'LockkeeperSlow',
        severity: 'warning',
        expr:
          'histogram_quantile(0.99, sum by (service, le) ' +
          `(rate(http_request_duration_seconds_bucket{${JOB},service=~"access|workspaces"}[5m]))) > 1`,
        for: '10m',
        summary: '1 of 100 requests of {{ $labels.service }} takes longer than a second',
      },
      {
        name: 'LockkeeperSignInsRefused',
        severity: 'warning',
        // Many, and many more than on the day before: a day has 288 times five minutes.
        expr: `${refused('5m]')} > 50 and ${refused('5m]')} > 5 * ${refused('1d] offset 5m')} / 288`,
        for: '0m',
        summary: 'Many sign-ins by {{ $labels.way }} are refused',
      },
      {
        name: 'LockkeeperAuditSinkDown',
        severity: 'critical',
        expr: `lockkeeper_audit_sink_up{${JOB}} == 0`,
        for: '1m',
        summary: 'The sink {{ $labels.sink }} of {{ $labels.instance }} takes no lines of the audit record',
      },
      {
        name: 'LockkeeperAuditUndelivered',
        severity: 'warning',
        expr: `audit_buffer_age_seconds{${JOB}} > 300`,
        for: '5m',
        summary: 'Lines of the audit record of {{ $labels.instance }} wait for the collector of {{ $labels.sink }}',
      },
      {
        name: 'LockkeeperAuditLineRefused',
        severity: 'warning',
        expr: `audit_buffer_line_refused{${JOB}} == 1`,
        for: '5m',
        summary: 'The collector of {{ $labels.sink }} refuses a line of {{ $labels.instance }}, and all behind it wait',
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
        summary: 'Jobs wait in pool {{ $labels.pool }} {{ $labels.organization }}, and agents do nothing',
      },
      {
        name: 'LockkeeperNoAgents',
        severity: 'warning',
        expr:
          `max by (${POOL}) (lockkeeper_jobs_waiting{${JOB}}) > 0 ` +
          `unless on (${POOL}) max by (${POOL}) (lockkeeper_agents{${JOB},status=~"idle|busy"}) > 0`,
        for: '10m',
        summary: 'Jobs wait in pool {{ $labels.pool }} {{ $labels.organization }}, and no agent is there',
      },
      {
        name: 'LockkeeperJobLost',
        severity: 'warning',
        expr: `sum by (outcome) (increase(lockkeeper_jobs_lost_total{${JOB}}[15m])) > 0`,
        for: '0m',
        summary: 'An agent was gone before its job was over ({{ $labels.outcome }})',
      },
      {
        name: 'LockkeeperOutboxStuck',
        severity: 'warning',
        expr: `max by (queue) (lockkeeper_outbox_oldest_seconds{${JOB}}) > 600`,
        for: '2m',
        summary: 'Nobody takes up what is to be sent: {{ $labels.queue }}',
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
        summary: 'The certificate of {{ $labels.listener }} on {{ $labels.instance }} ends within 21 days',
      },
      {
        name: 'LockkeeperRoleAuthorityExpires',
        severity: 'warning',
        expr: `min by (mount) (lockkeeper_role_authority_next_expiry_timestamp_seconds{${JOB}}) - time() < ${30 * DAY}`,
        for: '1h',
        summary: 'An authority that roles of {{ $labels.mount }} trust ends within 30 days',
      },
      {
        name: 'LockkeeperCrlStale',
        severity: 'critical',
        expr: `max by (mount) (lockkeeper_crls_stale{${JOB}}) > 0`,
        for: '15m',
        summary: 'A revocation list of {{ $labels.mount }} is past its next update',
      },
    ],
  },
  {
    name: 'lockkeeper-backup',
    alerts: [
      {
        name: 'LockkeeperBackupOld',
        severity: 'critical',
        // Where none was whole yet: since the servers were started.
        expr:
          `time() - (max(lockkeeper_backup_last_success_timestamp_seconds{${JOB}} > 0) or min(process_start_time_seconds{${JOB}})) ` +
          `> max(lockkeeper_backup_interval_seconds{${JOB}}) + ${2 * 3600}`,
        for: '5m',
        summary: 'The next complete backup should have been there two hours ago',
      },
      {
        name: 'LockkeeperBackupFailed',
        severity: 'critical',
        expr: `max(lockkeeper_backup_last_failure_timestamp_seconds{${JOB}}) > max(lockkeeper_backup_last_success_timestamp_seconds{${JOB}})`,
        for: '30m',
        summary: 'The last backup failed, and none was made since',
      },
    ],
  },
];

/** All of them. */
export const ALERTS: readonly Alert[] = ALERT_GROUPS.flatMap(({ alerts }) => alerts);

/** As GitHub and most others make the anchor of a heading. */
export const runbookOf = ({ name }: Alert): string => `${RUNBOOKS}#${name.toLowerCase()}`;

/** Operators put the address before it at which their people find these pages. */
const RUNBOOKS = 'docs/operations/runbooks.md';
