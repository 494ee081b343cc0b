import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Bars } from '../../components/bars/Bars.tsx';
import { List } from '../../components/list/List.tsx';
import type { Windowed } from '../../components/list/windowed.ts';
import { wordOf } from '../../components/state/run-status.ts';
import { clock, short } from '../../format/time.ts';
import { columnsOf, type Row, workedOn, workspaceOf } from './columns.tsx';
import styles from './runs.module.css';
import * as texts from './texts.ts';

/** Number of latest runs in the chart. */
const DRAWN = 60;

interface RunsListProps {
  readonly organization: string;
  /** Undefined if the list contains runs of several workspaces. */
  readonly workspace: string | undefined;
  readonly list: Windowed<Row['item'], Row['page']>;
}

/** List of runs, newest first. */
export function RunsList({ organization, workspace, list }: RunsListProps) {
  const navigate = useNavigate();
  const columns = useMemo(() => columnsOf(organization, workspace), [organization, workspace]);
  return (
    <List<Row>
      label={texts.runsOf(workspace ?? organization)}
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

/** Chart of the durations of the latest runs, oldest first. */
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
        label={texts.durationOfTheLastRuns(timed.length)}
        names={{ value: texts.seconds }}
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
