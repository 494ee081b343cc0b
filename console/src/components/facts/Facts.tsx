import { Fragment, type ReactNode } from 'react';
import styles from './facts.module.css';

/** List of names and values. Leaves out empty values. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }) {
  const there = of.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '');
  return (
    <dl className={styles.facts}>
      {there.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
