import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Bars } from '../../components/bars/Bars.tsx';
import { List } from '../../components/list/List.tsx';
import type { Windowed } from '../../components/list/windowed.ts';
import { wordOf } from '../../components/state/run-status.ts';
import { clock, short } from '../../format/time.ts';
import { columnsOf, type Row, workedOn, workspaceOf } from './columns.tsx';
import styles from './runs.module.css';

/** Of so many of the latest runs it is drawn how long they took. */
const DRAWN = 60;

interface RunsListProps {
  readonly organization: string;
  /** Undefined where they are of several. */
  readonly workspace: string | undefined;
  readonly list: Windowed<Row['item'], Row['page']>;
}

/** Runs, the newest first. */
export function RunsList({ organization, workspace, list }: RunsListProps) {
  const navigate = useNavigate();
  const columns = useMemo(() => columnsOf(organization, workspace), [organization, workspace]);
  return (
    <List<Row>
      label={`Runs of ${workspace ?? organization}`}
      columns={columns}
      className={`${styles.list} ${workspace === undefined ? styles.ofAll : ''}`}
      total={list.total}
      row={list.row}
      keyOf={({ item }) => item.id}
      onShow={list.show}
      onOpen={(row) =>
        void navigate({
          to: '/$organization/workspaces/$workspace/runs/$run',
          params: { organization, workspace: workspace ?? workspaceOf(row) ?? '-', run: row.item.id },
        })
      }
      sort=""
      onSort={() => undefined}
    />
  );
}

/** How long the latest of them took, the oldest first. */
export function Durations({ list }: Pick<RunsListProps, 'list'>) {
  const rows = Array.from({ length: Math.min(DRAWN, list.total) }, (_, index) => list.row(index));
  const timed = rows.flatMap((row) => {
    const seconds = row && workedOn(row);
    return row && seconds !== undefined ? [{ row, seconds }] : [];
  });
  if (timed.length < 2) return null;
  return (
    <div className={styles.durations}>
      <Bars
        label={`How long the last ${timed.length} took`}
        names={{ value: 'seconds' }}
        format={short}
        bars={timed.reverse().map(({ row: { item }, seconds }) => ({
          id: item.id,
          label: clock(item.attributes['created-at']),
          value: seconds,
          ...(item.attributes.status === 'errored' && { bad: seconds }),
          text: `${short(seconds)}, ${wordOf(item.attributes.status)}`,
        }))}
      />
    </div>
  );
}
