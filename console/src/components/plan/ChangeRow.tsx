import { useMemo, useState } from 'react';
import { type Attribute, attributesOf, type Change } from '../../../../src/lib/plan/plan.ts';
import { counted } from '../../format/number.ts';
import { Icon } from '../icon/Icon.tsx';
import { OPERATIONS } from './operations.ts';
import styles from './plan.module.css';
import * as texts from './texts.ts';

/** Attributes of one resource shown at first. */
const FEW = 40;

/** One changed resource; its attributes are rendered when opened. */
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
          <caption className="sr">{texts.attributesOf(change.address)}</caption>
          <thead className="sr">
            <tr>
              <th scope="col">{texts.attribute}</th>
              <th scope="col">{texts.before}</th>
              <th scope="col">{texts.after}</th>
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
            {texts.moreAttributes(more)}
          </button>
        )}
        {more > 0 && unchanged > 0 && ', '}
        {unchanged > 0 && `${counted(unchanged, texts.unchangedAttribute, texts.unchangedAttributes)}`}
        {changed.length === 0 && unchanged === 0 && texts.noAttributes}
      </p>
    </>
  );
}

function AttributeRow({ of: { name, before, after, is } }: { readonly of: Attribute }) {
  const soft = is === 'plain' ? '' : 'soft';
  return (
    <tr>
      <th scope="row" title={name}>
        {name || texts.value}
      </th>
      <td className={before === undefined ? '' : styles.old}>{before !== undefined && <Value text={before} />}</td>
      <td className={after === undefined ? '' : styles.new}>
        {after !== undefined && <Value text={after} look={soft} />}
      </td>
    </tr>
  );
}

/** Isolates bidirectional text, because the value may come from an untrusted source. */
function Value({ text, look = '' }: { readonly text: string; readonly look?: string }) {
  return <bdi className={look}>{text}</bdi>;
}
