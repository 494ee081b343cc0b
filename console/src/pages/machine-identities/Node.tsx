import type { ReactNode } from 'react';
import { Icon } from '../../components/icon/Icon.tsx';
import type { IconName } from '../../components/icon/icons.tsx';
import styles from './chain.module.css';

/** How far a login has come: past it, held up there, or never there. Nothing where nobody tries. */
export type Light = 'lit' | 'broken' | 'dark';

interface NodeProps {
  readonly icon: IconName;
  readonly title: ReactNode;
  readonly note: ReactNode;
  readonly light?: Light | undefined;
}

const SAYS = { lit: 'reached', broken: 'it stops here', dark: 'not reached' } as const;

/** One link of the chain, in a box. */
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
  /** What leads from the one to the other, for whom it is read to. */
  readonly says: string;
  readonly light?: Light | undefined;
  /** Before a role there is a gate. */
  readonly gate?: boolean;
}

/** The way from one link to the next. */
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
