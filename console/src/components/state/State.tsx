import type { ReactNode } from 'react';
import { Icon, type Meaning } from '../icon/Icon.tsx';
import type { IconName } from '../icon/icons.tsx';
import { signOf, wordOf } from './run-status.ts';
import styles from './state.module.css';

interface StateProps {
  readonly icon: IconName;
  readonly is: Meaning;
  readonly turns?: boolean | undefined;
  readonly children: ReactNode;
}

/** A state, shown by shape, word and colour. */
export function State({ icon, is, turns, children }: StateProps) {
  return (
    <span className={`${styles.state} is-${is} ${is === 'idle' ? styles.idle : ''} ${turns ? styles.turning : ''}`}>
      <Icon name={icon} is={is} />
      {children}
    </span>
  );
}

/** State of a run. */
export function RunState({ status }: { readonly status: string }) {
  const { icon, is, turns } = signOf(status);
  return (
    <State icon={icon} is={is} turns={turns}>
      {wordOf(status)}
    </State>
  );
}
