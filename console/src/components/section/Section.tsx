import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  readonly title: string;
  /** Beside the title: `412 in 11 modules`. */
  readonly note?: ReactNode;
  /** At the end of the line of the title. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page, on the one surface that there is. */
export function Section({ title, note, end, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <SectionHead title={title} note={note} end={end} />
      {children}
    </section>
  );
}

/** One thing among others, in a box: a run, a node. */
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

/** What the page is about, and the facts of it beside that. */
export function Split({ children, aside }: { readonly children: ReactNode; readonly aside: ReactNode }) {
  return (
    <div className={styles.split}>
      <div>{children}</div>
      <aside className={styles.aside}>{aside}</aside>
    </div>
  );
}
