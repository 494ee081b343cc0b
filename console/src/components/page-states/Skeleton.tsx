import styles from './page-states.module.css';
import * as texts from './texts.ts';

/** Widths that resemble words, always in the same order. */
const WIDTHS = [72, 96, 56, 88, 64, 104];

/** Placeholder for a text that is loading. */
export function SkeletonLine({ at }: { readonly at: number }) {
  return <span className={styles.bone} style={{ width: WIDTHS[at % WIDTHS.length] }} />;
}

/** Shows nothing for 150 ms, then placeholders. */
export function Loading({ what, children }: { readonly what: string; readonly children?: React.ReactNode }) {
  return (
    <div className={styles.loading} aria-busy="true">
      <p className="sr" role="status">
        {texts.loading(what)}
      </p>
      {children ?? (
        <div className={styles.lines} aria-hidden="true">
          {[0, 1, 2, 3, 4].map((line) => (
            <div key={line}>
              <SkeletonLine at={line} /> <SkeletonLine at={line + 2} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
