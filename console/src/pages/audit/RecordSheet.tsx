import { useQuery } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { exact } from '../../format/time.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import styles from './audit.module.css';
import { Outcome } from './columns.tsx';
import { type AuditRecord, actorOf, factsOf, verdictsOf } from './record.ts';
import type { AuditSearch } from './search.ts';
import * as texts from './texts.ts';
import { Verdicts } from './Verdicts.tsx';

const AROUND_MS = 3_600_000;

interface RecordSheetProps {
  readonly id: string;
  /** Time of the response, which narrows the search. */
  readonly at: string | undefined;
  readonly onClose: () => void;
  readonly onFilter: (search: AuditSearch) => void;
}

/** All data of one request and its response. */
export function RecordSheet({ id, at, onClose, onFilter }: RecordSheetProps) {
  const time = at === undefined ? Number.NaN : Date.parse(at);
  const window = Number.isNaN(time)
    ? {}
    : { since: new Date(time - AROUND_MS).toISOString(), until: new Date(time + AROUND_MS).toISOString() };
  const lines = useQuery({
    ...access.query('GET /sys/audit-record', { query: { request_id: id, limit: 2, ...window } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useShortcuts([{ keys: 'Escape', label: texts.closeTheEntry, hint: true, run: onClose }]);
  return (
    <section className={styles.sheet} aria-label={texts.auditEntry}>
      <div className={styles.sheetHead}>
        <h2>{texts.auditEntry}</h2>
        <Button look="quiet" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
      <QueryResult query={lines} what={texts.theAuditEntry} missing={<code>read and sudo on sys/audit-record</code>}>
        {({ data }) => {
          const records = data.records as unknown as AuditRecord[];
          return records.length === 0 ? (
            <Empty title={texts.notFound}>{texts.noEntryOfThis2}</Empty>
          ) : (
            <Whole records={records} onFilter={onFilter} />
          );
        }}
      </QueryResult>
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
          [texts.request2, <code key="what">{`${record.method} ${record.path}`}</code>],
          [
            texts.caller2,
            actor && (
              <button type="button" className="link" key="who" onClick={() => onFilter({ actor })}>
                {actor}
              </button>
            ),
          ],
          [texts.clientAddress, record.remote_address],
          [texts.time2, exact(record.time)],
          [
            texts.requestId,
            record.request_id && <Copyable key="id" text={record.request_id} what={texts.requestId2} />,
          ],
          [texts.api, record.service],
          ...factsOf(record),
        ]}
      />
      <Verdicts of={verdictsOf(record)} />
      <Part title={texts.query} value={asked?.query ?? record.query} />
      <Part title={texts.requestData} value={asked?.request} />
      <Part title={texts.responseData} value={record.response} />
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
