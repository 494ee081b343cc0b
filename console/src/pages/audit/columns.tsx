import { Link } from '@tanstack/react-router';
import { State } from '../../components/state/State.tsx';
import type { Column } from '../../components/table/columns.ts';
import { moment } from '../../format/time.ts';
import styles from './audit.module.css';
import { type AuditRecord, actorOf } from './record.ts';
import type { AuditSearch } from './search.ts';
import * as texts from './texts.ts';

/** HTTP status and its meaning. */
export function Outcome({ status }: { readonly status: number | undefined }) {
  if (status === undefined) return <span className="soft">{texts.request}</span>;
  if (status >= 500) {
    return (
      <State icon="warn" is="bad">
        {texts.failed(status)}
      </State>
    );
  }
  if (status >= 400) {
    return (
      <State icon="gate-shut" is="bad">
        {texts.refused(status)}
      </State>
    );
  }
  return (
    <State icon="check" is="good">
      {status}
    </State>
  );
}

/** Columns for what readers look for most: time, user, operation and result. */
export function columnsOf(search: AuditSearch): readonly Column<AuditRecord>[] {
  return [
    {
      id: 'time',
      head: texts.timeUtc,
      className: styles.time,
      cell: ({ time }) => (
        <time className="num" dateTime={time}>
          {moment(time)}
        </time>
      ),
    },
    { id: 'status', head: texts.status2, className: styles.status, cell: ({ status }) => <Outcome status={status} /> },
    {
      id: 'who',
      head: texts.caller2,
      className: styles.who,
      cell: (record) => {
        const actor = actorOf(record);
        return actor === undefined ? (
          <span className="soft">{texts.unauthenticated}</span>
        ) : (
          <span title={actor}>{actor}</span>
        );
      },
    },
    {
      id: 'what',
      head: texts.request2,
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
      head: texts.clientAddress,
      className: styles.from,
      cell: ({ remote_address: from }) => <span className="mono">{from}</span>,
    },
  ];
}
