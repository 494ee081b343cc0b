import { type ReactNode, useEffect, useRef } from 'react';
import styles from './page-head.module.css';

interface PageHeadProps {
  readonly title: string;
  /** Beside the title: a state, what of what. */
  readonly beside?: ReactNode;
  /** One sentence: what it is. */
  readonly lede?: ReactNode;
  readonly actions?: ReactNode;
}

/** The first page has the focus where the browser puts it. */
let isFirst = true;

/** What a page is: after going somewhere the focus is here. */
export function PageHead({ title, beside, lede, actions }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another page
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, [title]);
  return (
    <div className={styles.head}>
      <div>
        <div className={styles.title}>
          <h1 ref={heading} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h1>
          {beside}
        </div>
        {lede && <p className={styles.lede}>{lede}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
