import { count } from '../../format/number.ts';
import { Icon, type Meaning } from '../icon/Icon.tsx';
import type { IconName } from '../icon/icons.tsx';
import styles from './changes.module.css';
import * as texts from './texts.ts';

type Kind = 'added' | 'changed' | 'removed';

const SIGNS: Readonly<Record<Kind, { readonly icon: IconName; readonly is: Meaning }>> = {
  added: { icon: 'plus', is: 'good' },
  changed: { icon: 'change', is: 'attention' },
  removed: { icon: 'minus', is: 'bad' },
};

/** Icon of a change, with its word for screen readers. */
export function ChangeSign({ kind }: { readonly kind: Kind }) {
  const { icon, is } = SIGNS[kind];
  return (
    <>
      <Icon name={icon} is={is} />
      <span className="sr">{kind} </span>
    </>
  );
}

/** Counts of changes: `+ 11 added, ~ 5 changed, − 1 removed`. Leaves out zeros. */
export function ChangeCounts({ of }: { readonly of: Readonly<Record<Kind, readonly unknown[]>> }) {
  const kinds = (Object.keys(SIGNS) as Kind[]).filter((kind) => of[kind].length > 0);
  return (
    <span className={styles.counts}>
      {kinds.length === 0 && <span className="soft">{texts.noChanges}</span>}
      {kinds.map((kind) => (
        <span key={kind}>
          <Icon name={SIGNS[kind].icon} is={SIGNS[kind].is} />
          {count(of[kind].length)} {kind}
        </span>
      ))}
    </span>
  );
}
