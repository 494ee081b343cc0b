import type { Queries } from '../../../../storage/index.ts';
import { allOf, type Fragment, fragment, isOneOf, select } from '../../../query/dynamic.ts';
import { FINAL, isFinal, RUN_STATUSES } from '../../lifecycle/status.ts';
import { IN_WORKSPACE, IS_SHOWN } from './list-store.ts';

/**
 * Number of finished runs that are counted for each status. Unfinished runs are all counted.
 * @limit finished runs of one status that counts of an organization include, runs -> the response contains `at-least`
 */
const MOST_COUNTED = 1000;

/** Number of runs of an organization by status. */
export interface RunCounts {
  /** Number of runs of each status. Statuses without runs are missing. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Statuses with more finished runs than were counted. Only the newest runs are counted. */
  readonly atLeast: readonly string[];
}

interface Counted {
  readonly status: string;
  readonly count: number;
  readonly looked: number;
}

/**
 * Counts the runs that `where` shows, by status. Only the newest finished runs are counted, so that the time does not
 * grow with the history.
 */
export async function countByStatus(
  db: Queries,
  organizationId: string,
  where: readonly Fragment[],
): Promise<RunCounts> {
  const mine = fragment`r.organization_id = ${organizationId} and ${IS_SHOWN}`;
  const shown = allOf([IN_WORKSPACE, ...where]);
  const open = RUN_STATUSES.filter((status) => !isFinal(status));
  const over = FINAL.map(
    (status) => fragment`select ${status} as status, count(*) filter (where ${shown}) as count, count(*) as looked
      from (select r.organization_id, r.workspace_id from run r where ${mine} and r.status = ${status}
        order by r.created_at desc limit ${MOST_COUNTED + 1}) r`,
  );
  const counted = await select(
    db,
    fragment<Counted>`select r.status, count(*) as count, 0 as looked from run r
      where ${mine} and ${isOneOf('r.status', open)} and ${shown} group by r.status
      union all ${fragment.join(over, fragment` union all `)}`,
  );
  const there = counted.filter(({ count }) => count > 0);
  return {
    statuses: Object.fromEntries(
      there.map(({ status, count, looked }) => [status, looked > 0 ? Math.min(count, MOST_COUNTED) : count]),
    ),
    atLeast: there.filter(({ looked }) => looked > MOST_COUNTED).map(({ status }) => status),
  };
}
