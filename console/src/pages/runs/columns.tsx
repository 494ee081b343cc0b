import { Link } from '@tanstack/react-router';
import type { Resources } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { RunState } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Ago } from '../../components/time/Time.tsx';
import { CommitId, CommitPlace } from '../../components/vcs/Commit.tsx';
import { ORIGIN, originOf } from '../../components/vcs/origin.ts';
import { short } from '../../format/time.ts';
import { worked } from './durations.ts';
import styles from './runs.module.css';
import { operationOf } from './search.ts';
import * as texts from './texts.ts';

/** A run, and the response that contains its plan and apply. */
export interface Row {
  readonly item: Resources['runs'];
  readonly page: Parameters<typeof related>[0];
}

/** Relationships that a run list includes. */
export const INCLUDE = `plan,apply,${ORIGIN}`;

const planOf = ({ item, page }: Row) => related(page, item.relationships.plan.data, 'plans');
const applyOf = ({ item, page }: Row) => related(page, item.relationships.apply.data, 'applies');
export const workedOn = (row: Row): number | undefined => worked([planOf(row), applyOf(row)], Date.now());
export const workspaceOf = ({ item, page }: Row): string | undefined =>
  related(page, item.relationships.workspace.data, 'workspaces')?.attributes.name;

/** @param workspace the workspace of all runs; undefined if there are several */
export function columnsOf(organization: string, workspace: string | undefined): readonly Column<Row>[] {
  return [
    {
      id: 'message',
      head: texts.message,
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
      head: texts.state,
      className: styles.state,
      cell: ({ item: { attributes } }) => (
        <>
          <RunState status={attributes.status} />
          {attributes['position-in-queue'] > 0 && attributes.status === 'pending' && (
            <span className="soft">{texts.position(attributes['position-in-queue'])}</span>
          )}
        </>
      ),
    },
    ...(workspace === undefined
      ? [{ id: 'workspace', head: texts.workspace, className: styles.workspace, cell: (row: Row) => workspaceOf(row) }]
      : []),
    {
      id: 'changes',
      head: texts.resources,
      className: `${styles.changes} soft`,
      cell: (row) => <Changes plan={planOf(row)} />,
    },
    { id: 'commit', head: texts.commit, className: `${styles.commit} soft`, cell: (row) => <Origin of={row} /> },
    {
      id: 'operation',
      head: texts.operation,
      className: `${styles.operation} soft`,
      cell: ({ item }) => operationOf(item.attributes),
    },
    {
      id: 'by',
      head: texts.startedBy,
      className: `${styles.by} soft`,
      cell: ({ item }) => item.attributes['created-by-name'],
    },
    {
      id: 'took',
      head: texts.duration,
      isNumber: true,
      className: `${styles.took} soft`,
      cell: (row) => {
        const seconds = workedOn(row);
        return seconds === undefined ? '' : short(seconds);
      },
    },
    {
      id: 'begun',
      head: texts.started,
      isNumber: true,
      className: `${styles.begun} soft`,
      cell: ({ item }) => <Ago time={item.attributes['created-at']} />,
    },
  ];
}

/** Commit of a run, with its branch, tag or pull request. */
function Origin({ of: { page, item } }: { readonly of: Row }) {
  const origin = originOf(page, item);
  if (origin === undefined) return null;
  return (
    <>
      <CommitId id={origin['commit-sha']} url={origin['commit-url']} /> <CommitPlace of={origin} />
    </>
  );
}

/** Changes of a plan: `+3 ~2 −1`. */
function Changes({ plan }: { readonly plan: Resources['plans'] | undefined }) {
  if (plan?.attributes.status !== 'finished') return null;
  const counts = [
    ['+', plan.attributes['resource-additions'], texts.toAdd],
    ['~', plan.attributes['resource-changes'], texts.toChange],
    ['−', plan.attributes['resource-destructions'], texts.toDestroy],
  ] as const;
  const told = counts.filter(([, number]) => number > 0);
  if (told.length === 0) return texts.none;
  return told.map(([sign, number, words]) => (
    <span key={sign} className={styles.count}>
      <span aria-hidden="true">{sign}</span>
      {number}
      <span className="sr"> {words} </span>
    </span>
  ));
}
