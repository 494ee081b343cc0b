import type { ReactNode } from 'react';
import { Basin } from './Basin.tsx';
import styles from './entrance.module.css';
import { Logo } from './Logo.tsx';

interface Props {
  readonly title: string;
  /** Facts at the bottom of the page. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** Frame of the pages that people see before they are signed in. */
export function Entrance({ title, foot, children }: Props) {
  return (
    <div className={styles.page}>
      <main>
        <div>
          <Logo />
        </div>
        <div className={styles.form}>
          <h1>{title}</h1>
          {children}
        </div>
        <div className={styles.foot}>{foot}</div>
      </main>
      <Basin />
    </div>
  );
}
