import { useMemo, useState } from 'react';
import { counted } from '../../format/number.ts';
import { Icon } from '../icon/Icon.tsx';
import { OPERATIONS } from './operations.ts';
import styles from './plan.module.css';
import { type Attribute, attributesOf, type Change } from './plan.ts';

/** Attributes of one resource that are shown at once. */
const FEW = 40;

/** What happens to a resource, and with what; unfolded where somebody looks. */
export function ChangeRow({ change, isOpen: opens }: { readonly change: Change; readonly isOpen: boolean }) {
  const [isOpen, setOpen] = useState(opens);
  const { icon, is, word } = OPERATIONS[change.operation];
  return (
    <li className={styles.change}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className={`${styles.op} ${styles[is]}`}>
            <Icon name={icon} is={is} />
            <span>{word}</span>
          </span>
          <code title={change.address}>{change.address}</code>
          {change.note && <span className={`${styles.note} soft`}>{change.note}</span>}
        </summary>
        {isOpen && <AttributesOf change={change} />}
      </details>
    </li>
  );
}

function AttributesOf({ change }: { readonly change: Change }) {
  const { changed, unchanged } = useMemo(() => attributesOf(change.of), [change]);
  const [isAll, setAll] = useState(false);
  const shown = isAll ? changed : changed.slice(0, FEW);
  const more = changed.length - shown.length;
  return (
    <>
      {shown.length > 0 && (
        <table className={styles.attributes}>
          <caption className="sr">Attributes of {change.address}</caption>
          <thead className="sr">
            <tr>
              <th scope="col">Attribute</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((attribute) => (
              <AttributeRow key={attribute.name} of={attribute} />
            ))}
          </tbody>
        </table>
      )}
      <p className={styles.fold}>
        {more > 0 && (
          <button type="button" className="link" onClick={() => setAll(true)}>
            {counted(more, 'more attribute')}
          </button>
        )}
        {more > 0 && unchanged > 0 && ', '}
        {unchanged > 0 && `${counted(unchanged, 'attribute stays as it is', 'attributes stay as they are')}`}
        {changed.length === 0 && unchanged === 0 && 'No attributes'}
      </p>
    </>
  );
}

function AttributeRow({ of: { name, before, after, is } }: { readonly of: Attribute }) {
  const soft = is === 'plain' ? '' : 'soft';
  return (
    <tr>
      <th scope="row" title={name}>
        {name || 'value'}
      </th>
      <td className={before === undefined ? '' : styles.old}>{before !== undefined && <Value text={before} />}</td>
      <td className={after === undefined ? '' : styles.new}>
        {after !== undefined && <Value text={after} look={soft} />}
      </td>
    </tr>
  );
}

/** What strangers can write turns nothing round beside it. */
function Value({ text, look = '' }: { readonly text: string; readonly look?: string }) {
  return <bdi className={look}>{text}</bdi>;
}
