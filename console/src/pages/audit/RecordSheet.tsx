import { useQuery } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { exact } from '../../format/time.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import styles from './audit.module.css';
import { Outcome } from './columns.tsx';
import { type AuditRecord, actorOf, factsOf, verdictsOf } from './record.ts';
import type { AuditSearch } from './search.ts';
import { Verdicts } from './Verdicts.tsx';

const AROUND_MS = 3_600_000;

interface RecordSheetProps {
  readonly id: string;
  /** When it was answered: so that it is found at once. */
  readonly at: string | undefined;
  readonly onClose: () => void;
  readonly onFilter: (search: AuditSearch) => void;
}

/** One request whole: what was asked, and what came of it. */
export function RecordSheet({ id, at, onClose, onFilter }: RecordSheetProps) {
  const time = at === undefined ? Number.NaN : Date.parse(at);
  const window = Number.isNaN(time)
    ? {}
    : { since: new Date(time - AROUND_MS).toISOString(), until: new Date(time + AROUND_MS).toISOString() };
  const lines = useQuery({
    ...access.query('GET /sys/audit-record', { query: { request_id: id, limit: 2, ...window } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useShortcuts([{ keys: 'Escape', label: 'close the record', hint: true, run: onClose }]);
  return (
    <section className={styles.sheet} aria-label="One record">
      <div className={styles.sheetHead}>
        <h2>One record</h2>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <Answered query={lines} what="The record" missing={<code>read and sudo on sys/audit-record</code>}>
        {({ data }) => {
          const records = data.records as unknown as AuditRecord[];
          return records.length === 0 ? (
            <Empty title="Not found">No line of this node has this request.</Empty>
          ) : (
            <Whole records={records} onFilter={onFilter} />
          );
        }}
      </Answered>
    </section>
  );
}

function Whole({
  records,
  onFilter,
}: {
  readonly records: readonly AuditRecord[];
  readonly onFilter: (search: AuditSearch) => void;
}) {
  const [record] = records;
  if (!record) return null;
  const asked = records.find(({ type }) => type === 'request');
  const actor = actorOf(record);
  return (
    <>
      <p className={styles.says}>
        <Outcome status={record.status} />
        {record.error && <span>{record.error}</span>}
      </p>
      <Facts
        of={[
          ['What', <code key="what">{`${record.method} ${record.path}`}</code>],
          [
            'Who',
            actor && (
              <button type="button" className="link" key="who" onClick={() => onFilter({ actor })}>
                {actor}
              </button>
            ),
          ],
          ['From', record.remote_address],
          ['Time', exact(record.time)],
          ['Request', record.request_id && <Copyable key="id" text={record.request_id} what="request id" />],
          ['API', record.service],
          ...factsOf(record),
        ]}
      />
      <Verdicts of={verdictsOf(record)} />
      <Part title="Query" value={asked?.query ?? record.query} />
      <Part title="What was asked" value={asked?.request} />
      <Part title="What was answered" value={record.response} />
    </>
  );
}

function Part({ title, value }: { readonly title: string; readonly value: unknown }) {
  if (value === undefined || value === null) return null;
  return (
    <>
      <h3 className={styles.part}>{title}</h3>
      <pre className={styles.json}>{JSON.stringify(value, null, 2)}</pre>
    </>
  );
}
