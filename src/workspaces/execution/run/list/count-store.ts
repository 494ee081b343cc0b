import type { Queries } from '../../../../storage/index.ts';
import { allOf, type Fragment, fragment, isOneOf, select } from '../../../query/dynamic.ts';
import { FINAL, isFinal, RUN_STATUSES } from '../../lifecycle/status.ts';
import { IN_WORKSPACE, IS_SHOWN } from './list-store.ts';

/**
 * Those that are not over are all counted.
 * @limit runs of one status that are over, of an organization, that counts look at, runs -> the answer says `at-least`
 */
const MOST_COUNTED = 1000;

/** How the runs of an organization stand. */
export interface RunCounts {
  /** Those without any are not in it. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Of which there are more than were looked at: the latest are. */
  readonly atLeast: readonly string[];
}

interface Counted {
  readonly status: string;
  readonly count: number;
  readonly looked: number;
}

/** By status, of those that `where` shows: of what is over the latest, so that it takes no longer with the years. */
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
