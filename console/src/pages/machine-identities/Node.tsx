import type { ReactNode } from 'react';
import { Icon } from '../../components/icon/Icon.tsx';
import type { IconName } from '../../components/icon/icons.tsx';
import styles from './chain.module.css';
import * as texts from './texts.ts';

/** Result of a test at one node: passed, stopped there, or not reached. Undefined if no test is running. */
export type Light = 'lit' | 'broken' | 'dark';

interface NodeProps {
  readonly icon: IconName;
  readonly title: ReactNode;
  readonly note: ReactNode;
  readonly light?: Light | undefined;
}

const SAYS = { lit: texts.reached, broken: texts.stopsHere, dark: texts.notReached } as const;

/** One node of the chain. */
export function Node({ icon, title, note, light }: NodeProps) {
  return (
    <div className={`${styles.node} ${light ? styles[light] : ''}`}>
      <Icon name={icon} />
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        <span className={styles.note}>{note}</span>
      </span>
      {light && (
        <>
          <span className="sr">: {SAYS[light]}</span>
          {light !== 'dark' && <Icon name={light === 'lit' ? 'check' : 'x'} is={light === 'lit' ? 'good' : 'bad'} />}
        </>
      )}
    </div>
  );
}

interface WayProps {
  /** Description of the connection for screen readers. */
  readonly says: string;
  readonly light?: Light | undefined;
  /** Whether to draw a gate, as before a role. */
  readonly gate?: boolean;
}

/** Connection between two nodes. */
export function Way({ says, light, gate = false }: WayProps) {
  return (
    <span className={`${styles.way} ${light ? styles[light] : ''}`}>
      <span className="sr">{says}</span>
      {gate && (
        <Icon
          name={light === 'broken' ? 'gate-shut' : 'gate-open'}
          is={light === 'broken' ? 'bad' : light === 'lit' ? 'good' : 'idle'}
        />
      )}
    </span>
  );
}
