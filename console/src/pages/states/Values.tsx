import { useQuery } from '@tanstack/react-query';
import { count } from '../../format/number.ts';
import type { Named } from './reading/state-file.ts';
import type { ValueReading } from './reading/use-reading.ts';
import styles from './states.module.css';

interface ValuesProps {
  readonly named: Named;
  readonly reading: ValueReading;
  readonly showName: boolean;
}

/** What of one thing differs: read in a thread beside the page, from both files. */
export function Values({ named, reading, showName }: ValuesProps) {
  const { data, error } = useQuery({
    // Of this pair of versions alone: the parts of the page that compare others are made anew.
    queryKey: ['values', named, reading],
    queryFn: () => reading.read(named),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <>
      {showName && <code className={styles.valueName}>{named.name}</code>}
      {error && <p role="alert">{error.message}</p>}
      {!data && !error && <p className="soft">Reading both files…</p>}
      {data?.changes.length === 0 && <p className="soft">Its values are the same: something else of it changed.</p>}
      {data && data.changes.length > 0 && (
        <dl className={styles.changes}>
          {data.changes.map(({ path, before, after, isSensitive }) => (
            <div key={path}>
              <dt>
                <code>{path || 'value'}</code>
              </dt>
              {isSensitive ? (
                <dd className="soft">sensitive: kept back</dd>
              ) : (
                <dd>
                  {before !== undefined && (
                    <del>
                      <span className="sr">before: </span>
                      {before}
                    </del>
                  )}
                  {after !== undefined && (
                    <ins>
                      <span className="sr">after: </span>
                      {after}
                    </ins>
                  )}
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
      {data && data.more > 0 && <p className="soft">{count(data.more)} more values differ.</p>}
    </>
  );
}
