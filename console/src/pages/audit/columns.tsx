import { Link } from '@tanstack/react-router';
import { State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { moment } from '../../format/time.ts';
import styles from './audit.module.css';
import { type AuditRecord, actorOf } from './record.ts';
import type { AuditSearch } from './search.ts';

/** The status, and what that means. */
export function Outcome({ status }: { readonly status: number | undefined }) {
  if (status === undefined) return <span className="soft">asked</span>;
  if (status >= 500) {
    return (
      <State icon="warn" is="bad">
        {status} failed
      </State>
    );
  }
  if (status >= 400) {
    return (
      <State icon="gate-shut" is="bad">
        {status} refused
      </State>
    );
  }
  return (
    <State icon="check" is="good">
      {status}
    </State>
  );
}

/** What most ask first: when, by whom, what, and what came of it. */
export function columnsOf(search: AuditSearch): readonly Column<AuditRecord>[] {
  return [
    {
      id: 'time',
      head: 'Time, UTC',
      className: styles.time,
      cell: ({ time }) => (
        <time className="num" dateTime={time}>
          {moment(time)}
        </time>
      ),
    },
    { id: 'status', head: 'Answer', className: styles.status, cell: ({ status }) => <Outcome status={status} /> },
    {
      id: 'who',
      head: 'Who',
      className: styles.who,
      cell: (record) => {
        const actor = actorOf(record);
        return actor === undefined ? <span className="soft">a stranger</span> : <span title={actor}>{actor}</span>;
      },
    },
    {
      id: 'what',
      head: 'What',
      isName: true,
      className: styles.what,
      cell: ({ method, path, request_id: record, time: at }) => (
        <Link
          to="/~server/audit"
          search={{ ...search, ...(record && { record }), at }}
          className="mono"
          title={path ?? ''}
        >
          <span className={styles.method}>{method}</span> {path}
        </Link>
      ),
    },
    {
      id: 'from',
      head: 'From',
      className: styles.from,
      cell: ({ remote_address: from }) => <span className="mono">{from}</span>,
    },
  ];
}
