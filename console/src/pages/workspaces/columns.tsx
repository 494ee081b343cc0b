import { Link } from '@tanstack/react-router';
import type { Resources } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { Tags } from '../../components/chip/Chip.tsx';
import { holderOf } from '../../components/lock/holder.ts';
import { RunState, State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Ago } from '../../components/time/Time.tsx';
import { count } from '../../format/number.ts';
import * as texts from './texts.ts';
import styles from './workspaces.module.css';

/** A workspace, and the response that contains it: the response also has its lock holder and current run. */
export interface Row {
  readonly item: Resources['workspaces'];
  readonly page: Parameters<typeof related>[0];
}

const runOf = ({ item, page }: Row) => related(page, item.relationships['current-run']?.data, 'runs');

/** The selected workspaces. */
export interface Marks {
  readonly has: (id: string) => boolean;
  readonly toggle: (row: Row) => void;
}

/** Optional columns. The URL contains the names of the shown ones. */
export const MORE_COLUMNS = ['project', 'execution', 'engine', 'created'] as const;

const MORE: Readonly<Record<(typeof MORE_COLUMNS)[number], Column<Row>>> = {
  project: {
    id: 'project',
    head: texts.project,
    className: styles.more,
    cell: ({ item, page }) => related(page, item.relationships.project?.data, 'projects')?.attributes.name,
  },
  execution: {
    id: 'execution',
    head: texts.execution,
    className: styles.more,
    cell: ({ item }) => item.attributes['execution-mode'],
  },
  engine: {
    id: 'engine',
    head: texts.engine,
    className: styles.more,
    cell: ({ item }) => (
      <code>
        {item.attributes.engine ?? ''} {item.attributes['engine-version']}
      </code>
    ),
  },
  created: {
    id: 'created',
    head: texts.created,
    className: `${styles.more} soft`,
    cell: ({ item }) => <Ago time={item.attributes['created-at']} />,
  },
};

/** Returns the default columns and the chosen optional ones. */
export function columnsOf(organization: string, more: string, marks: Marks): readonly Column<Row>[] {
  const shown = more.split(',');
  const added = MORE_COLUMNS.filter((column) => shown.includes(column)).map((column) => MORE[column]);
  const columns = firstColumns(organization, marks);
  return [...columns.slice(0, -2), ...added, ...columns.slice(-2)];
}

function firstColumns(organization: string, marks: Marks): readonly Column<Row>[] {
  return [
    {
      id: 'mark',
      head: texts.selected2,
      hideHead: true,
      className: styles.mark,
      cell: (row) => (
        <input
          type="checkbox"
          aria-label={texts.select(row.item.attributes.name)}
          checked={marks.has(row.item.id)}
          onChange={() => marks.toggle(row)}
        />
      ),
    },
    {
      id: 'name',
      head: texts.name,
      isName: true,
      sort: 'name',
      className: styles.name,
      cell: ({ item }) => (
        <Link
          to="/$organization/workspaces/$workspace"
          params={{ organization, workspace: item.attributes.name }}
          title={item.attributes.name}
        >
          {item.attributes.name}
        </Link>
      ),
    },
    {
      id: 'run',
      head: texts.latestRun,
      sort: 'current-run.created-at',
      sortsDown: true,
      className: styles.run,
      cell: (row) => {
        const run = runOf(row);
        return run && <RunState status={run.attributes.status} />;
      },
    },
    {
      id: 'message',
      head: texts.messageOfTheRun,
      hideHead: true,
      className: `${styles.message} soft`,
      cell: (row) => runOf(row)?.attributes.message,
    },
    {
      id: 'lock',
      head: texts.lockedBy,
      className: styles.lock,
      cell: ({ item, page }) => {
        const holder = holderOf(item, page);
        return (
          holder && (
            <State icon="gate-shut" is="locked">
              <span
                className={styles.holder}
                title={[holder, item.attributes['locked-reason']].filter(Boolean).join(': ')}
              >
                {holder}
              </span>{' '}
              {item.attributes['locked-at'] && (
                <span className="soft">
                  <Ago time={item.attributes['locked-at']} />
                </span>
              )}
            </State>
          )
        );
      },
    },
    {
      id: 'tags',
      head: texts.tags,
      className: styles.tags,
      cell: ({ item }) => <Tags names={item.attributes['tag-names']} most={2} />,
    },
    {
      id: 'resources',
      head: texts.resources,
      isNumber: true,
      className: styles.resources,
      cell: ({ item }) => count(item.attributes['resource-count']),
    },
    {
      id: 'changed',
      head: texts.updated,
      isNumber: true,
      sort: 'latest-change-at',
      sortsDown: true,
      className: `${styles.changed} soft`,
      cell: ({ item }) => <Ago time={item.attributes['latest-change-at']} />,
    },
  ];
}
