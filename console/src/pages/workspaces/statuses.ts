import { RUNNING, WAITING } from '../../components/state/run-status.ts';
import type { StatusGroup } from './filters.ts';

/** Run statuses of each group. */
export const STATUSES: Readonly<Record<StatusGroup, readonly string[]>> = {
  waits: WAITING,
  running: RUNNING,
  errored: ['errored'],
};
