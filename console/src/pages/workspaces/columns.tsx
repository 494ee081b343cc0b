import { Link } from '@tanstack/react-router';
import type { Resources } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { Tags } from '../../components/chip/Chip.tsx';
import { holderOf } from '../../components/lock/holder.ts';
import { RunState, State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Ago } from '../../components/time/Time.tsx';
import { count } from '../../format/number.ts';
import styles from './workspaces.module.css';

/** A workspace, and the answer that it came in: who holds it and what runs is beside it there. */
export interface Row {
  readonly item: Resources['workspaces'];
  readonly page: Parameters<typeof related>[0];
}

const runOf = ({ item, page }: Row) => related(page, item.relationships['current-run']?.data, 'runs');

/** What can be marked, and whether it is. */
export interface Marks {
  readonly has: (id: string) => boolean;
  readonly toggle: (row: Row) => void;
}

/** Beside those that most ask for; which of them are shown stands in the address. */
export const MORE_COLUMNS = ['project', 'execution', 'engine', 'created'] as const;

const MORE: Readonly<Record<(typeof MORE_COLUMNS)[number], Column<Row>>> = {
  project: {
    id: 'project',
    head: 'Project',
    className: styles.more,
    cell: ({ item, page }) => related(page, item.relationships.project?.data, 'projects')?.attributes.name,
  },
  execution: {
    id: 'execution',
    head: 'Execution',
    className: styles.more,
    cell: ({ item }) => item.attributes['execution-mode'],
  },
  engine: {
    id: 'engine',
    head: 'Engine',
    className: styles.more,
    cell: ({ item }) => (
      <code>
        {item.attributes.engine ?? ''} {item.attributes['engine-version']}
      </code>
    ),
  },
  created: {
    id: 'created',
    head: 'Created',
    className: `${styles.more} soft`,
    cell: ({ item }) => <Ago time={item.attributes['created-at']} />,
  },
};

/** What most ask first, and what else is asked for. */
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
      head: 'Marked',
      hideHead: true,
      className: styles.mark,
      cell: (row) => (
        <input
          type="checkbox"
          aria-label={`Mark ${row.item.attributes.name}`}
          checked={marks.has(row.item.id)}
          onChange={() => marks.toggle(row)}
        />
      ),
    },
    {
      id: 'name',
      head: 'Name',
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
      head: 'Latest run',
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
      head: 'Message of the run',
      hideHead: true,
      className: `${styles.message} soft`,
      cell: (row) => runOf(row)?.attributes.message,
    },
    {
      id: 'lock',
      head: 'Locked by',
      className: styles.lock,
      cell: ({ item, page }) => {
        const holder = holderOf(item, page);
        return (
          holder && (
            <State icon="gate-shut" is="locked">
              <span title={item.attributes['locked-reason'] ?? ''}>{holder}</span>{' '}
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
      head: 'Tags',
      className: styles.tags,
      cell: ({ item }) => <Tags names={item.attributes['tag-names']} most={2} />,
    },
    {
      id: 'resources',
      head: 'Resources',
      isNumber: true,
      className: styles.resources,
      cell: ({ item }) => count(item.attributes['resource-count']),
    },
    {
      id: 'changed',
      head: 'Changed',
      isNumber: true,
      sort: 'latest-change-at',
      sortsDown: true,
      className: `${styles.changed} soft`,
      cell: ({ item }) => <Ago time={item.attributes['latest-change-at']} />,
    },
  ];
}
