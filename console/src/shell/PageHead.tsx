import { type ReactNode, useEffect, useRef } from 'react';
import styles from './page-head.module.css';

interface PageHeadProps {
  readonly title: string;
  /** Shown beside the title: a state or a type. */
  readonly beside?: ReactNode;
  /** One sentence that describes the page. */
  readonly lede?: ReactNode;
  readonly actions?: ReactNode;
}

/** On the first page the browser decides about the focus. */
let isFirst = true;

/** Heading of a page. Receives the focus after navigation, so that screen readers announce the new page. */
export function PageHead({ title, beside, lede, actions }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new title means a new page
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
