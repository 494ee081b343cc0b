import { RUNNING, WAITING } from '../../components/state/run-status.ts';
import type { StatusGroup } from './filters.ts';

/** Which statuses of a run each group has. */
export const STATUSES: Readonly<Record<StatusGroup, readonly string[]>> = {
  waits: WAITING,
  running: RUNNING,
  errored: ['errored'],
};
