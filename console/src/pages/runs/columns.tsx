import { Link } from '@tanstack/react-router';
import type { Resources } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { RunState } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Ago } from '../../components/time/Time.tsx';
import { short } from '../../format/time.ts';
import { worked } from './durations.ts';
import styles from './runs.module.css';
import { operationOf } from './search.ts';

/** A run, and the answer that it came in: its plan and its apply are beside it there. */
export interface Row {
  readonly item: Resources['runs'];
  readonly page: Parameters<typeof related>[0];
}

/** What a list of runs asks for beside them. */
export const INCLUDE = 'plan,apply';

const planOf = ({ item, page }: Row) => related(page, item.relationships.plan.data, 'plans');
const applyOf = ({ item, page }: Row) => related(page, item.relationships.apply.data, 'applies');
export const workedOn = (row: Row): number | undefined => worked([planOf(row), applyOf(row)], Date.now());
export const workspaceOf = ({ item, page }: Row): string | undefined =>
  related(page, item.relationships.workspace.data, 'workspaces')?.attributes.name;

/** @param workspace the one of all of them; undefined where they are of several */
export function columnsOf(organization: string, workspace: string | undefined): readonly Column<Row>[] {
  return [
    {
      id: 'message',
      head: 'Run',
      isName: true,
      className: styles.name,
      cell: (row) => (
        <Link
          to="/$organization/workspaces/$workspace/runs/$run"
          params={{ organization, workspace: workspace ?? workspaceOf(row) ?? '-', run: row.item.id }}
          title={row.item.attributes.message}
        >
          {row.item.attributes.message || row.item.id}
        </Link>
      ),
    },
    {
      id: 'state',
      head: 'State',
      className: styles.state,
      cell: ({ item: { attributes } }) => (
        <>
          <RunState status={attributes.status} />
          {attributes['position-in-queue'] > 0 && attributes.status === 'pending' && (
            <span className="soft">, place {attributes['position-in-queue']}</span>
          )}
        </>
      ),
    },
    ...(workspace === undefined
      ? [{ id: 'workspace', head: 'Workspace', className: styles.workspace, cell: (row: Row) => workspaceOf(row) }]
      : []),
    {
      id: 'changes',
      head: 'Resources',
      className: `${styles.changes} soft`,
      cell: (row) => <Changes plan={planOf(row)} />,
    },
    {
      id: 'operation',
      head: 'Operation',
      className: `${styles.operation} soft`,
      cell: ({ item }) => operationOf(item.attributes),
    },
    {
      id: 'by',
      head: 'By',
      className: `${styles.by} soft`,
      cell: ({ item }) => item.attributes['created-by-name'],
    },
    {
      id: 'took',
      head: 'Took',
      isNumber: true,
      className: `${styles.took} soft`,
      cell: (row) => {
        const seconds = workedOn(row);
        return seconds === undefined ? '' : short(seconds);
      },
    },
    {
      id: 'begun',
      head: 'Begun',
      isNumber: true,
      className: `${styles.begun} soft`,
      cell: ({ item }) => <Ago time={item.attributes['created-at']} />,
    },
  ];
}

/** `+3 ~2 −1` */
function Changes({ plan }: { readonly plan: Resources['plans'] | undefined }) {
  if (plan?.attributes.status !== 'finished') return null;
  const counts = [
    ['+', plan.attributes['resource-additions'], 'to add'],
    ['~', plan.attributes['resource-changes'], 'to change'],
    ['−', plan.attributes['resource-destructions'], 'to destroy'],
  ] as const;
  const told = counts.filter(([, number]) => number > 0);
  if (told.length === 0) return 'none';
  return told.map(([sign, number, words]) => (
    <span key={sign} className={styles.count}>
      <span aria-hidden="true">{sign}</span>
      {number}
      <span className="sr"> {words} </span>
    </span>
  ));
}
