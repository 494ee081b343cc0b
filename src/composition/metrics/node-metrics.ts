import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { type Audit, counter, gauge, type Metrics, type Readiness } from '../../server/index.ts';
import { version } from '../../version.ts';
import type { Databases } from '../databases.ts';
import { type SchemaStep, schemaSteps } from '../schemas.ts';
import { cachedRead } from './cached-read.ts';

/** Metrics of a node: database, disks, readiness. */
export const NODE_METRICS = {
  build: gauge('lockkeeper_build_info', "Constant 1, with this node's version as label.", ['version', 'node']),
  ready: gauge('lockkeeper_ready', '1 if the node is ready for requests, as in /healthz/ready.'),
  schema: gauge(
    'lockkeeper_schema_step',
    'Number of the last schema migration: known to this version (known), and applied to the database (applied).',
    ['set', 'of'],
  ),
  auditUp: gauge(
    'lockkeeper_audit_sink_up',
    '1 if an audit sink accepts entries; 0 if one process reports that it does not.',
    ['sink'],
  ),
  free: gauge('lockkeeper_disk_free_bytes', 'Free disk space for data, blobs and audit sinks.', ['volume']),
  size: gauge('lockkeeper_disk_size_bytes', 'Size of that file system.', ['volume']),
  most: gauge('lockkeeper_database_connections_max', 'Maximum PostgreSQL connections of all processes together.'),
  connections: gauge('lockkeeper_database_connections', 'PostgreSQL connections: open, and in use.', ['state']),
  waiting: gauge('lockkeeper_database_waiting', 'Requests that are waiting for a PostgreSQL connection.'),
  waits: counter('lockkeeper_database_waits_total', 'Waits for a PostgreSQL connection.'),
  waited: counter('lockkeeper_database_wait_seconds_total', 'Total time of these waits.'),
  timeouts: counter('lockkeeper_database_wait_timeouts_total', 'Waits that timed out; the request got 503.'),
} as const;

interface NodeParts {
  readonly config: Config;
  readonly databases: Databases;
  readonly audit: Audit;
  readonly readiness: Readiness;
}

export function registerNode(metrics: Metrics, parts: NodeParts): void {
  const { databases, audit, readiness } = parts;
  metrics.shared(NODE_METRICS.build, async () => [{ labels: { version, node: hostname() }, value: 1 }]);
  metrics.shared(NODE_METRICS.ready, async () => [{ labels: {}, value: Number((await readiness.health()).ready) }]);
  const steps = cachedRead(() => schemaSteps(databases));
  metrics.shared(NODE_METRICS.schema, async () => (await steps()).flatMap(ofSchema));
  metrics.gauge(
    NODE_METRICS.auditUp,
    async () => audit.sinks().map(({ name, failure }) => ({ labels: { sink: name }, value: failure ? 0 : 1 })),
    'min',
  );
  registerDisks(metrics, parts);
  registerConnections(metrics, databases);
}

const ofSchema = ({ set, known, applied }: SchemaStep) => [
  { labels: { set, of: 'known' }, value: known },
  { labels: { set, of: 'applied' }, value: applied },
];

/** Folders on local disks that the server writes to. */
function registerDisks(metrics: Metrics, { config }: NodeParts): void {
  const read = cachedRead(() => Promise.all(volumesOf(config).map(spaceOf)));
  const volumeMetric = (what: 'free' | 'size') => async () =>
    (await read()).flatMap((space) => (space ? [{ labels: { volume: space.volume }, value: space[what] }] : []));
  metrics.shared(NODE_METRICS.free, volumeMetric('free'));
  metrics.shared(NODE_METRICS.size, volumeMetric('size'));
}

interface Volume {
  readonly volume: string;
  readonly folder: string;
}

function volumesOf({ storage, auditFile, auditSinks = [] }: Config): Volume[] {
  const { blobDirectory: blobs = storage.type === 'sqlite' && !storage.blobs ? join(storage.directory, 'blobs') : '' } =
    storage;
  const folders = [
    ...(auditFile ? [dirname(auditFile)] : []),
    ...auditSinks.flatMap((sink) => {
      if (sink.type === 'file') return [dirname(sink.path)];
      return 'collected' in sink && sink.collected ? [sink.collected.directory] : [];
    }),
  ];
  return [
    ...(storage.type === 'sqlite' ? [{ volume: 'data', folder: storage.directory }] : []),
    ...(blobs === '' ? [] : [{ volume: 'blobs', folder: blobs }]),
    ...folders.map((folder, index) => ({ volume: index === 0 ? 'audit' : `audit-${index + 1}`, folder })),
  ];
}

/** Undefined if the folder does not exist: the blob folder is created with the first blob. */
async function spaceOf({ volume, folder }: Volume) {
  const space = await statfs(folder).catch(() => undefined);
  return space && { volume, free: space.bavail * space.bsize, size: space.blocks * space.bsize };
}

function registerConnections(metrics: Metrics, { access }: Databases): void {
  if (access.connections() === undefined) return;
  const read = async () => access.connections() ?? Promise.reject(new Error('no pool'));
  const { most, connections, waiting, waits, waited, timeouts } = NODE_METRICS;
  metrics.gauge(most, async () => [{ labels: {}, value: (await read()).most }]);
  metrics.gauge(connections, async () => {
    const { open, inUse } = await read();
    return [
      { labels: { state: 'open' }, value: open },
      { labels: { state: 'in_use' }, value: inUse },
    ];
  });
  metrics.gauge(waiting, async () => [{ labels: {}, value: (await read()).waiting }]);
  metrics.total(waits, async () => [{ labels: {}, value: (await read()).waits }]);
  metrics.total(waited, async () => [{ labels: {}, value: (await read()).waited }]);
  metrics.total(timeouts, async () => [{ labels: {}, value: (await read()).timeouts }]);
}
