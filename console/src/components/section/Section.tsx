import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  readonly title: string;
  /** Note beside the title: `412 in 11 modules`. */
  readonly note?: ReactNode;
  /** Shown at the end of the title line. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** Section of a page with a heading. */
export function Section({ title, note, end, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <SectionHead title={title} note={note} end={end} />
      {children}
    </section>
  );
}

/** Boxed item among others: a run, a node. */
export function Panel({ title, note, end, children }: SectionProps) {
  return (
    <section className={`${styles.panel} ${styles.section}`}>
      <SectionHead title={title} note={note} end={end} />
      <div className={styles.in}>{children}</div>
    </section>
  );
}

function SectionHead({ title, note, end }: Omit<SectionProps, 'children'>) {
  return (
    <div className={styles.head}>
      <h2>
        <bdi>{title}</bdi>
      </h2>
      {note && <span className="soft">{note}</span>}
      {end && <span className={styles.end}>{end}</span>}
    </div>
  );
}

/** Main content with an aside for details. */
export function Split({ children, aside }: { readonly children: ReactNode; readonly aside: ReactNode }) {
  return (
    <div className={styles.split}>
      <div>{children}</div>
      <aside className={styles.aside}>{aside}</aside>
    </div>
  );
}
