import type { TaskDefinition } from './task-definition.ts';
import type { TaskStatus } from './task-status.ts';

/**
 * Time that a task may fail or be late, milliseconds. A failover of the database takes less.
 * @limit time that a background task may fail or be overdue, ms -> health, metrics and `diagnose` warn
 */
const PATIENCE_MS = 10 * 60_000;
/** @limit failures in a row of a background task, failures -> health, metrics and `diagnose` warn */
const FAILURES = 3;
/** Periods that a task may be late besides. */
const PERIODS = 3;

/** Returns the problem of a task, without a secret or a name; undefined if it has none. */
export function problemOf({ period }: TaskDefinition, status: TaskStatus): string | undefined {
  const { failures, failingFor, error, late, isRunning } = status;
  if (failures >= FAILURES && failingFor >= PATIENCE_MS)
    return `failed ${failures} times in a row since ${timeText(failingFor)}, last with ${error}`;
  if (late < PATIENCE_MS + PERIODS * period) return undefined;
  return isRunning ? `its run has not ended for ${timeText(late)}` : `overdue by ${timeText(late)}`;
}

/** Returns the outcome of the last run, without a secret or a name. */
export function outcomeText({ result, error, age, duration = 0, isRunning }: TaskStatus): string {
  if (age === undefined) return 'has not run yet';
  const started = `started ${timeText(age)} ago`;
  if (result === 'none' || isRunning) return `running, ${started}`;
  const took = duration < 1000 ? `${Math.round(duration)} ms` : timeText(duration);
  return result === 'failed' ? `failed with ${error}, ${started}` : `ok, ${started}, took ${took}`;
}

function timeText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
