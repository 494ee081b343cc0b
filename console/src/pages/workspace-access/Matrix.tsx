import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon/Icon.tsx';
import { WORKSPACE_STEPS } from '../../components/rights/Rights.tsx';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import styles from './access.module.css';
import { FLAGS, type Rights } from './levels.ts';
import * as texts from './texts.ts';

/** Access of a team: its level and permissions. */
export interface Row {
  readonly id: string;
  readonly team: string;
  /** For example `write` or `custom`. */
  readonly level: string;
  readonly rights: Rights;
}

interface MatrixProps<R extends Row> {
  readonly label: string;
  readonly organization: string;
  readonly rows: readonly R[];
  readonly nameOf: (team: string) => string;
  /** Returns the actions of a row. */
  readonly actions: (row: R) => ReactNode;
}

/** Table of teams and their permissions. */
export function Matrix<R extends Row>({ label, organization, rows, nameOf, actions }: MatrixProps<R>) {
  const columns: readonly Column<R>[] = [
    {
      id: 'team',
      head: texts.team,
      isName: true,
      className: styles.team,
      cell: ({ team }) => (
        <Link to="/$organization/teams/$team" params={{ organization, team }}>
          <bdi>{nameOf(team)}</bdi>
        </Link>
      ),
    },
    { id: 'level', head: texts.access, cell: ({ level }) => level },
    ...WORKSPACE_STEPS.map(([key, head]) => ({
      id: key,
      head,
      className: styles.right,
      cell: ({ rights }: R) => <Step of={head} is={rights[key].replaceAll('-', ' ')} />,
    })),
    ...FLAGS.map(([key, head]) => ({
      id: key,
      head,
      className: styles.right,
      cell: ({ rights }: R) => <Flag of={head} is={rights[key]} />,
    })),
    { id: 'do', head: texts.actions, hideHead: true, isNumber: true, cell: actions },
  ];
  return <Table label={label} flush twoLines items={rows} keyOf={({ id }) => id} columns={columns} />;
}

/** Narrow screens have no column heads, so each cell contains the name of its permission. */
function Step({ of, is }: { readonly of: string; readonly is: string }) {
  return (
    <span className={is === 'none' ? 'soft' : ''}>
      <span className={styles.which}>{of} </span>
      {is}
    </span>
  );
}

function Flag({ of, is }: { readonly of: string; readonly is: boolean }) {
  return (
    <span className={is ? '' : 'soft'}>
      <span className={styles.which}>{of} </span>
      <Icon name={is ? 'check' : 'minus'} is={is ? 'good' : 'idle'} />
      <span className="sr">{is ? texts.yes : texts.no}</span>
    </span>
  );
}
