import { useQuery } from '@tanstack/react-query';
import { count } from '../../format/number.ts';
import type { Named } from './reading/state-file.ts';
import type { ValueReading } from './reading/use-reading.ts';
import styles from './states.module.css';
import * as texts from './texts.ts';

interface ValuesProps {
  readonly named: Named;
  readonly reading: ValueReading;
  readonly showName: boolean;
}

/** Shows the changed values of one resource or output. A worker thread reads them from both files. */
export function Values({ named, reading, showName }: ValuesProps) {
  const { data, error } = useQuery({
    // The key contains the pair of versions: other pairs have other values.
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
      {!data && !error && <p className="soft">{texts.readingBothFiles}</p>}
      {data?.changes.length === 0 && <p className="soft">{texts.noValuesChangedOnly}</p>}
      {data && data.changes.length > 0 && (
        <dl className={styles.changes}>
          {data.changes.map(({ path, before, after, isSensitive }) => (
            <div key={path}>
              <dt>
                <code>{path || texts.value}</code>
              </dt>
              {isSensitive ? (
                <dd className="soft">{texts.sensitiveHidden}</dd>
              ) : (
                <dd>
                  {before !== undefined && (
                    <del>
                      <span className="sr">{texts.before} </span>
                      {before}
                    </del>
                  )}
                  {after !== undefined && (
                    <ins>
                      <span className="sr">{texts.after} </span>
                      {after}
                    </ins>
                  )}
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
      {data && data.more > 0 && <p className="soft">{texts.moreValuesDiffer(count(data.more))}</p>}
    </>
  );
}
