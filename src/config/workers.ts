import { availableParallelism } from 'node:os';
import { ConfigError } from './config-error.ts';

/**
 * Minimum number of connections, so that one slow query does not delay all others of a worker.
 * @limit minimum PostgreSQL connections of a worker, if `storage.pool_size` allows them, connections -> requests wait for a free one
 */
const LEAST_CONNECTIONS = 4;

/**
 * Default maximum memory of one worker, MiB.
 * @limit memory of each worker if there are several, MiB -> the worker is replaced, at most one in a minute
 * @setting limits.worker_memory
 */
export const WORKER_MEMORY = 1024;

/**
 * Returns the number of worker processes. @throws ConfigError for several on SQLite, where concurrent writers would
 * starve
 */
export function toWorkers(setting: 'auto' | number, storage: 'sqlite' | 'postgres'): number {
  if (storage === 'postgres') return setting === 'auto' ? availableParallelism() : setting;
  if (setting === 'auto' || setting === 1) return 1;
  throw new ConfigError(
    `workers: found ${setting} beside storage.type sqlite; allowed: auto, 1 (several processes need PostgreSQL)`,
  );
}

/** Returns the PostgreSQL connections of each worker: its share of the node's pool, and at least the minimum unless the pool is smaller. */
export function toPoolSize(ofNode: number, workers: number): number {
  return Math.max(Math.floor(ofNode / workers), Math.min(ofNode, LEAST_CONNECTIONS));
}
