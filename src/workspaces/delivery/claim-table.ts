import { type Queries, type Statement, sql } from '../../storage/index.ts';
import { type Fragment, fragment, select } from '../query/dynamic.ts';
import type { Due, Without } from './delivery-loop.ts';
import type { Entry, Lease } from './queue.ts';

/**
 * Table with a row for each claim. It has the columns `id`, `organization_id`, `target`, `due_at`, `claim`,
 * `claimed_until` and one that counts failures (README.md).
 */
export interface Rows {
  readonly table: string;
  /** Columns that an attempt needs, in SQL, with `id`. */
  readonly columns: string;
  /** Column that counts failures. Default: `failures`. */
  readonly failures?: string;
  /** Further condition for a claim, in SQL. */
  readonly where?: string;
  /** Condition of the rows of this queue in SQL, with the alias `d`, if several queues share a table. */
  readonly part?: string;
  /** Whether organizations take turns. Without it, the message that is due longest comes first. */
  readonly isFair?: boolean;
}

/** End of a claim. */
type Release = {
  readonly failures: number;
  /** Number of finished messages: 0 or 1. */
  readonly settled: number;
  readonly dueAt: number;
};

type Claimed<Row> = Row & { readonly failures: number };

/** Assignments of the columns of a claim that end it, for statements that also write other columns. */
export const UNCLAIMED = 'claim = NULL, claimed_until = 0';

/** @limit unsent notifications or run task requests that metrics count, rows -> the metric stays at this value */
const MAX_DUE = 10_000;

/** Claims by conditional update with a lease, so each row has one sender at a time on any number of nodes. */
export abstract class ClaimTable<Row> {
  readonly #table: Fragment;
  readonly #part: Fragment;
  readonly #order: Fragment;
  readonly #claim: Statement<Lease & { id: string }, Claimed<Row>>;
  readonly #release: Statement<Release & { id: string; claim: string }, { id: string }>;

  /**
   * @param left condition under which messages are left after `:settled` messages are finished, in SQL
   * @param further assignments of a release, in SQL
   */
  constructor(
    { table, columns, failures = 'failures', isFair = false, part, where }: Rows,
    left: string,
    further = '',
  ) {
    this.#table = fragment.raw(table);
    this.#part = fragment.raw(part === undefined ? '' : `and ${part}`);
    this.#order = fragment.raw(
      isFair
        ? 'row_number() over (partition by d.organization_id order by d.due_at, d.id), d.due_at, d.id'
        : 'd.due_at, d.id',
    );
    this.#claim = sql(
      `UPDATE ${table} SET claim = :claim, claimed_until = :until
       WHERE id = :id AND due_at <= :now AND claimed_until <= :now${where === undefined ? '' : ` AND ${where}`}
       RETURNING ${columns}, ${failures} AS failures`,
    );
    this.#release = sql(
      `UPDATE ${table} SET ${UNCLAIMED}, ${failures} = :failures, ${further}
         due_at = CASE WHEN ${left} THEN CAST(:dueAt AS BIGINT) ELSE NULL END
       WHERE id = :id AND claim = :claim RETURNING id`,
    );
  }

  /** Skips organizations that are being deleted, full organizations and targets, and failed messages. */
  due(db: Queries, now: number, { ids, organizations, targets }: Without, limit: number): Promise<Due[]> {
    const but = (column: string, values: readonly string[]) =>
      values.length === 0 ? fragment`` : fragment`and ${fragment.raw(column)} not in (${fragment.join(values)})`;
    return select(
      db,
      fragment<Due>`select d.id, d.organization_id as "organizationId", d.target from ${this.#table} d
        join organization o on o.id = d.organization_id and o.deleted_at is null
        where d.due_at <= ${now} and d.claimed_until <= ${now} ${this.#part} ${but('d.organization_id', organizations)}
        ${but('d.target', targets)} ${but('d.id', ids)} order by ${this.#order} limit ${limit}`,
    );
  }

  /** Claims a row. Returns undefined if it is not due any more. */
  protected async claim(db: Queries, id: string, lease: Lease): Promise<Entry<Row> | undefined> {
    const row = await db.one(this.#claim, { id, ...lease });
    return row && { id, row, claim: lease.claim, failures: row.failures, tries: row.failures };
  }

  /** Ends a claim. Returns false if it was lost meanwhile. */
  protected async end(db: Queries, { id, claim }: Entry, release: Release): Promise<boolean> {
    return (await db.one(this.#release, { id, claim, ...release })) !== undefined;
  }

  /** Counts the rows with unsent messages, and finds the first due time. */
  pending(queue: string): Fragment {
    return fragment`select ${fragment.raw(`'${queue}'`)} as queue,
      (select count(*) from (select 1 from ${this.#table} d where d.due_at is not null ${this.#part} limit ${fragment.raw(`${MAX_DUE}`)}) counted) as pending,
      (select d.due_at from ${this.#table} d join organization o on o.id = d.organization_id and o.deleted_at is null
        where d.due_at is not null ${this.#part} order by d.due_at limit 1) as "dueAt"`;
  }
}
