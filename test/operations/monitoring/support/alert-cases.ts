/** Series by name, with one value for each minute: `0+1x10` is 0, 1, … 10. */
type Series = Readonly<Record<string, string>>;

/** Test cases for one alert: series that make it fire, and similar series that do not. */
export interface AlertCase {
  readonly name: string;
  readonly fires: Series;
  /** Time at which the alert fires: `10m`. */
  readonly at: string;
  /** Labels of the alert, without its name and severity. */
  readonly labels: Readonly<Record<string, string>>;
  readonly silent: Series;
  /** Interval between two values; default: one minute. */
  readonly every?: string;
}

const NODE = 'job="lockkeeper",instance="one"';
const OTHER = 'job="lockkeeper",instance="two"';
const ONE = { job: 'lockkeeper', instance: 'one' };
const POOL = 'organization="acme",pool="build"';
const DAY = 24 * 3600;
const MIB = 1_048_576;

export const CASES: readonly AlertCase[] = [
  {
    name: 'LockkeeperInstanceDown',
    at: '5m',
    fires: { [`up{${NODE}}`]: '0x10' },
    labels: ONE,
    // Another user's failures; and a failure that is over after a minute.
    silent: { 'up{job="other",instance="one"}': '0x10', [`up{${NODE}}`]: '1 1 1 0 1 1 1' },
  },
  {
    name: 'LockkeeperNotReady',
    at: '5m',
    fires: { [`lockkeeper_ready{${NODE}}`]: '0x10' },
    labels: ONE,
    silent: { [`lockkeeper_ready{${NODE}}`]: '1 1 0 1 1 1' },
  },
  {
    name: 'LockkeeperSchemasDiffer',
    at: '70m',
    fires: {
      [`lockkeeper_schema_step{${NODE},set="workspaces",of="known"}`]: '53x80',
      [`lockkeeper_schema_step{${OTHER},set="workspaces",of="known"}`]: '52x80',
    },
    labels: { set: 'workspaces' },
    // Nodes are replaced one after the other; each set has its own steps.
    silent: {
      [`lockkeeper_schema_step{${NODE},set="workspaces",of="known"}`]: '53x80',
      [`lockkeeper_schema_step{${OTHER},set="workspaces",of="known"}`]: '52x30 53x50',
      [`lockkeeper_schema_step{${NODE},set="access",of="known"}`]: '14x80',
    },
  },
  {
    name: 'LockkeeperBackgroundTask',
    at: '10m',
    fires: {
      [`lockkeeper_background_task_ok{${NODE},task="retention"}`]: '1 0x20',
      [`lockkeeper_background_task_ok{${OTHER},task="retention"}`]: '1x20',
    },
    labels: { task: 'retention' },
    // It ran again at once.
    silent: { [`lockkeeper_background_task_ok{${NODE},task="retention"}`]: '1 0x3 1x20' },
  },
  {
    name: 'LockkeeperVcsConnectionFails',
    at: '70m',
    fires: {
      [`lockkeeper_vcs_connections{${NODE},status="refused"}`]: '2x80',
      [`lockkeeper_vcs_connections{${OTHER},status="refused"}`]: '2x80',
    },
    labels: { status: 'refused' },
    // Connections that work; and a provider that was away for half an hour.
    silent: {
      [`lockkeeper_vcs_connections{${NODE},status="ok"}`]: '5x80',
      [`lockkeeper_vcs_connections{${NODE},status="unreachable"}`]: '1x30 0x50',
    },
  },
  {
    name: 'LockkeeperVcsRepositoryFails',
    at: '70m',
    fires: { [`lockkeeper_vcs_repositories{${NODE},health="gone"}`]: '1x80' },
    labels: { health: 'gone' },
    silent: {
      [`lockkeeper_vcs_repositories{${NODE},health="ok"}`]: '9x80',
      [`lockkeeper_vcs_repositories{${NODE},health="forbidden"}`]: '1x30 0x50',
    },
  },
  {
    name: 'LockkeeperKeyringNotRead',
    at: '5m',
    fires: { [`lockkeeper_keyring_current{${NODE}}`]: '1 0x10' },
    labels: ONE,
    // The file was being written.
    silent: { [`lockkeeper_keyring_current{${NODE}}`]: '1 0 1x10' },
  },
  {
    name: 'LockkeeperKeysDiffer',
    at: '50m',
    fires: {
      [`lockkeeper_keyring_newest_key{${NODE}}`]: '1x60',
      [`lockkeeper_keyring_newest_key{${OTHER}}`]: '1x3 2x60',
    },
    labels: ONE,
    // The nodes do not have the new file yet; and another server.
    silent: {
      [`lockkeeper_keyring_newest_key{${NODE}}`]: '1x30 2x30',
      [`lockkeeper_keyring_newest_key{${OTHER}}`]: '1x3 2x60',
      'lockkeeper_keyring_newest_key{job="other",instance="three"}': '7x60',
    },
  },
  {
    name: 'LockkeeperDiskFull',
    at: '10m',
    fires: {
      [`lockkeeper_disk_free_bytes{${NODE},volume="audit"}`]: '9x15',
      [`lockkeeper_disk_size_bytes{${NODE},volume="audit"}`]: '100x15',
    },
    labels: { ...ONE, volume: 'audit' },
    silent: {
      [`lockkeeper_disk_free_bytes{${NODE},volume="audit"}`]: '11x15',
      [`lockkeeper_disk_size_bytes{${NODE},volume="audit"}`]: '100x15',
    },
  },
  {
    name: 'LockkeeperDatabasePoolExhausted',
    at: '12m',
    // Two seconds of waiting in each second.
    fires: { [`lockkeeper_database_wait_seconds_total{${NODE}}`]: '0+120x20' },
    labels: ONE,
    silent: {
      [`lockkeeper_database_wait_seconds_total{${NODE}}`]: '0+6x20',
      [`lockkeeper_database_wait_timeouts_total{${NODE}}`]: '3x20',
    },
  },
  {
    name: 'LockkeeperReplicationLag',
    at: '30m',
    // The standby receives everything and applies nothing.
    fires: {
      [`lockkeeper_database_replication_lag_bytes{${NODE},standby="b"}`]: `0+${4 * MIB}x40`,
      [`lockkeeper_database_replication_lag_seconds{${NODE},standby="b"}`]: '0.05x40',
    },
    labels: { standby: 'b' },
    // A large amount that is soon applied; a small amount all the time.
    silent: {
      [`lockkeeper_database_replication_lag_bytes{${NODE},standby="b"}`]: `0x20 ${400 * MIB}x5 0x10`,
      [`lockkeeper_database_replication_lag_seconds{${NODE},standby="b"}`]: '0x20 40x2 0x10',
      [`lockkeeper_database_replication_lag_bytes{${NODE},standby="c"}`]: `${MIB}x40`,
    },
  },
  {
    name: 'LockkeeperErrors',
    at: '12m',
    fires: {
      [`http_requests_total{${NODE},service="workspaces",status="500"}`]: '0+60x20',
      [`http_requests_total{${NODE},service="workspaces",status="200"}`]: '0+600x20',
    },
    labels: { service: 'workspaces' },
    // One request in a hundred fails; one in ten of very few fails; and readiness checks.
    silent: {
      [`http_requests_total{${NODE},service="workspaces",status="500"}`]: '0+6x20',
      [`http_requests_total{${NODE},service="workspaces",status="200"}`]: '0+600x20',
      [`http_requests_total{${NODE},service="console",status="500"}`]: '0+1x20',
      [`http_requests_total{${NODE},service="console",status="200"}`]: '0+9x20',
      [`http_requests_total{${NODE},service="health",status="503"}`]: '0+600x20',
    },
  },
  {
    name: 'LockkeeperSlow',
    at: '20m',
    fires: {
      [`http_request_duration_seconds_bucket{${NODE},service="access",le="1"}`]: '0+90x25',
      [`http_request_duration_seconds_bucket{${NODE},service="access",le="2.5"}`]: '0+100x25',
      [`http_request_duration_seconds_bucket{${NODE},service="access",le="+Inf"}`]: '0+100x25',
    },
    labels: { service: 'access' },
    silent: {
      [`http_request_duration_seconds_bucket{${NODE},service="access",le="1"}`]: '0+100x25',
      [`http_request_duration_seconds_bucket{${NODE},service="access",le="+Inf"}`]: '0+100x25',
    },
  },
  {
    name: 'LockkeeperSignInsRefused',
    at: '300m',
    fires: { [`lockkeeper_sign_ins_total{${NODE},way="machine",outcome="refused"}`]: '0x290 0+100x20' },
    labels: { way: 'machine' },
    // As many failures as on the whole day before; a few where there were none; and many successful logins.
    silent: {
      [`lockkeeper_sign_ins_total{${NODE},way="machine",outcome="refused"}`]: '0+100x310',
      [`lockkeeper_sign_ins_total{${NODE},way="session",outcome="refused"}`]: '0x290 0+5x20',
      [`lockkeeper_sign_ins_total{${NODE},way="provider",outcome="accepted"}`]: '0x290 0+100x20',
    },
  },
  {
    name: 'LockkeeperAuditSinkDown',
    at: '3m',
    fires: { [`lockkeeper_audit_sink_up{${NODE},sink="syslog"}`]: '0x10' },
    labels: { ...ONE, sink: 'syslog' },
    silent: { [`lockkeeper_audit_sink_up{${NODE},sink="file"}`]: '1x10' },
  },
  {
    name: 'LockkeeperAuditUndelivered',
    at: '12m',
    fires: { [`audit_buffer_age_seconds{${NODE},sink="http"}`]: '0+60x20' },
    labels: { ...ONE, sink: 'http' },
    // A collector that was unavailable for a while.
    silent: { [`audit_buffer_age_seconds{${NODE},sink="http"}`]: '0+60x8 0x12' },
  },
  {
    name: 'LockkeeperAuditLineRefused',
    at: '10m',
    fires: { [`audit_buffer_line_refused{${NODE},sink="http"}`]: '0 1x15' },
    labels: { ...ONE, sink: 'http' },
    silent: { [`audit_buffer_line_refused{${NODE},sink="http"}`]: '0 1x3 0x12' },
  },
  {
    name: 'LockkeeperJobsWaitWithIdleAgents',
    at: '10m',
    fires: {
      [`lockkeeper_job_oldest_wait_seconds{${NODE},${POOL}}`]: '0+60x20',
      [`lockkeeper_agents{${NODE},${POOL},status="idle"}`]: '1x20',
    },
    labels: { organization: 'acme', pool: 'build' },
    // All agents are busy; the idle ones belong to another pool.
    silent: {
      [`lockkeeper_job_oldest_wait_seconds{${NODE},${POOL}}`]: '0+60x20',
      [`lockkeeper_agents{${NODE},${POOL},status="busy"}`]: '1x20',
      [`lockkeeper_agents{${NODE},${POOL},status="idle"}`]: '0x20',
      [`lockkeeper_agents{${NODE},organization="other",pool="build",status="idle"}`]: '1x20',
    },
  },
  {
    name: 'LockkeeperNoAgents',
    at: '15m',
    fires: {
      [`lockkeeper_jobs_waiting{${NODE},${POOL}}`]: '3x20',
      [`lockkeeper_agents{${NODE},${POOL},status="unknown"}`]: '2x20',
    },
    labels: { organization: 'acme', pool: 'build' },
    // An agent is connected, as another node also reports; a pool that no workspace uses.
    silent: {
      [`lockkeeper_jobs_waiting{${NODE},${POOL}}`]: '3x20',
      [`lockkeeper_jobs_waiting{${OTHER},${POOL}}`]: '3x20',
      [`lockkeeper_agents{${OTHER},${POOL},status="busy"}`]: '1x20',
      [`lockkeeper_agents{${NODE},organization="acme",pool="unused",status="unknown"}`]: '2x20',
    },
  },
  {
    name: 'LockkeeperJobLost',
    at: '5m',
    fires: { [`lockkeeper_jobs_lost_total{${NODE},outcome="errored"}`]: '0 0 0 1x10' },
    labels: { outcome: 'errored' },
    // Before the first check.
    silent: { [`lockkeeper_jobs_lost_total{${NODE},outcome="errored"}`]: '4x20' },
  },
  {
    name: 'LockkeeperOutboxStuck',
    at: '20m',
    fires: { [`lockkeeper_outbox_oldest_seconds{${NODE},queue="notifications"}`]: '0+60x30' },
    labels: { queue: 'notifications' },
    silent: { [`lockkeeper_outbox_oldest_seconds{${NODE},queue="notifications"}`]: '300x30' },
  },
  {
    name: 'LockkeeperTlsCertificateExpires',
    at: '70m',
    fires: {
      [`lockkeeper_tls_certificate_expiry_timestamp_seconds{${NODE},listener="a:443"}`]: `${20 * DAY}x80`,
    },
    labels: { ...ONE, listener: 'a:443' },
    silent: {
      [`lockkeeper_tls_certificate_expiry_timestamp_seconds{${NODE},listener="a:443"}`]: `${22 * DAY}x80`,
    },
  },
  {
    name: 'LockkeeperRoleAuthorityExpires',
    at: '70m',
    fires: { [`lockkeeper_role_authority_next_expiry_timestamp_seconds{${NODE},mount="cert"}`]: `${29 * DAY}x80` },
    labels: { mount: 'cert' },
    silent: { [`lockkeeper_role_authority_next_expiry_timestamp_seconds{${NODE},mount="cert"}`]: `${31 * DAY}x80` },
  },
  {
    name: 'LockkeeperCrlStale',
    at: '20m',
    fires: { [`lockkeeper_crls_stale{${NODE},mount="cert"}`]: '1x30' },
    labels: { mount: 'cert' },
    silent: { [`lockkeeper_crls_stale{${NODE},mount="cert"}`]: '0x10 1x5 0x20' },
  },
  {
    name: 'LockkeeperBackupOld',
    at: '1600m',
    every: '10m',
    fires: {
      [`lockkeeper_backup_last_success_timestamp_seconds{${NODE}}`]: '60x170',
      [`lockkeeper_backup_interval_seconds{${NODE}}`]: `${DAY}x170`,
    },
    labels: {},
    silent: {
      [`lockkeeper_backup_last_success_timestamp_seconds{${NODE}}`]: '60x100 60000x70',
      [`lockkeeper_backup_interval_seconds{${NODE}}`]: `${DAY}x170`,
    },
  },
  {
    name: 'LockkeeperBackupOld',
    at: '500m',
    every: '10m',
    // A backup is due every six hours, and there was none since the start.
    fires: {
      [`lockkeeper_backup_last_success_timestamp_seconds{${NODE}}`]: '0x60',
      [`process_start_time_seconds{${NODE}}`]: '60x60',
      [`lockkeeper_backup_interval_seconds{${NODE}}`]: `${6 * 3600}x60`,
    },
    labels: {},
    // A backup is due every week; the node started long ago.
    silent: {
      [`lockkeeper_backup_last_success_timestamp_seconds{${NODE}}`]: '60x60',
      [`process_start_time_seconds{${NODE}}`]: '-9999999x60',
      [`lockkeeper_backup_interval_seconds{${NODE}}`]: `${7 * DAY}x60`,
    },
  },
  {
    name: 'LockkeeperBackupOld',
    at: '1600m',
    every: '10m',
    fires: {
      [`lockkeeper_backup_last_success_timestamp_seconds{${NODE}}`]: '60x170',
      [`lockkeeper_backup_interval_seconds{${NODE}}`]: '900x170',
    },
    labels: {},
    // Backups by hand, without a schedule.
    silent: {
      [`lockkeeper_backup_last_success_timestamp_seconds{${NODE}}`]: '60x170',
      [`process_start_time_seconds{${NODE}}`]: '60x170',
    },
  },
  {
    name: 'LockkeeperBackupFailed',
    at: '40m',
    fires: {
      [`lockkeeper_backup_last_failure_timestamp_seconds{${NODE}}`]: '600x50',
      [`lockkeeper_backup_last_success_timestamp_seconds{${NODE}}`]: '60x50',
    },
    labels: {},
    silent: {
      [`lockkeeper_backup_last_failure_timestamp_seconds{${NODE}}`]: '600x50',
      [`lockkeeper_backup_last_success_timestamp_seconds{${NODE}}`]: '60x20 1200x30',
    },
  },
];
