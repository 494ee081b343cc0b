import { availableParallelism } from 'node:os';
import { ConfigError } from './config-error.ts';

/**
 * So many that one slow query does not hold up all others of a worker.
 * @limit connections to PostgreSQL that a worker may keep at least, where storage.pool_size allows them, connections -> requests wait for one to become free
 */
const LEAST_CONNECTIONS = 4;

/**
 * MiB.
 * @limit memory of one of several workers, MiB -> another takes its place, at most one in a minute
 * @setting limits.worker_memory
 */
export const WORKER_MEMORY = 1024;

/** How many processes there are. @throws ConfigError for several on SQLite, of which one writes at a time and the others starve */
export function toWorkers(setting: 'auto' | number, storage: 'sqlite' | 'postgres'): number {
  if (storage === 'postgres') return setting === 'auto' ? availableParallelism() : setting;
  if (setting === 'auto' || setting === 1) return 1;
  throw new ConfigError(
    `workers: found ${setting} beside storage.type sqlite; allowed: auto, 1 (several processes need PostgreSQL)`,
  );
}

/** How many connections to PostgreSQL each of them keeps, of those that the node may have. */
export function toPoolSize(ofNode: number, workers: number): number {
  return Math.max(Math.floor(ofNode / workers), Math.min(ofNode, LEAST_CONNECTIONS));
}
