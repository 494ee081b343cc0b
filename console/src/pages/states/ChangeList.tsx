import { useEffect, useRef, useState } from 'react';
import { ChangeSign } from '../../components/changes/Changes.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { count } from '../../format/number.ts';
import { type ChangeLine, changeLines, othersInWords } from './changes.ts';
import type { ValueReading } from './reading/use-reading.ts';
import styles from './states.module.css';
import { Values } from './Values.tsx';

interface Addressed {
  readonly address: string;
  readonly sensitive?: boolean;
}

interface ChangeListProps {
  readonly title: string;
  readonly kind: 'resource' | 'output';
  readonly of: Readonly<Record<'added' | 'changed' | 'removed', readonly Addressed[]>>;
  /** What to say where nothing differs. */
  readonly none: string;
  readonly reading: ValueReading;
  /** The one that the address of the page opens. */
  readonly open: string | undefined;
  readonly onOpen: (address: string | undefined) => void;
}

/** Lines that are shown before somebody asks for the others. */
const SHOWN = 100;
/** And the most that are: a page of more is no longer read. */
const MOST = 2_000;

/** Which things were added, changed and removed. A line opens to its values. */
export function ChangeList({ title, kind, of, none, reading, open, onOpen }: ChangeListProps) {
  const [all, setAll] = useState(false);
  const lines = changeLines(of);
  const begin = lines.slice(0, all ? MOST : SHOWN);
  const opened = lines.find(({ address }) => address === open);
  // Wherever it stands: somebody came for it.
  const shown = opened && !begin.includes(opened) ? [opened, ...begin] : begin;
  const sensitive = new Set(
    [of.added, of.changed, of.removed].flat().flatMap((one) => (one.sensitive ? [one.address] : [])),
  );
  return (
    <>
      <h3 className={styles.subhead}>{title}</h3>
      {lines.length === 0 && <p className="soft">{none}</p>}
      <ul className={styles.diff}>
        {shown.map((line) => (
          <Line
            key={`${line.kind} ${line.address}`}
            line={line}
            kind={kind}
            note={sensitive.has(line.address) ? 'sensitive' : othersInWords(line.others)}
            reading={reading}
            isOpen={line === opened}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {lines.length > begin.length && (
        <p className={styles.note}>
          {!all && (
            <button type="button" className="link" onClick={() => setAll(true)}>
              Show {count(Math.min(lines.length, MOST) - begin.length)} more
            </button>
          )}{' '}
          {lines.length > MOST && `${count(lines.length - MOST)} more are in the answer of the request below.`}
        </p>
      )}
    </>
  );
}

interface LineProps {
  readonly line: ChangeLine;
  readonly kind: 'resource' | 'output';
  readonly note: string;
  readonly reading: ValueReading;
  readonly isOpen: boolean;
  readonly onOpen: (address: string | undefined) => void;
}

/** Values of so many instances are read at once. */
const MOST_READ = 20;

function Line({ line, kind, note, reading, isOpen, onOpen }: LineProps) {
  const item = useRef<HTMLLIElement>(null);
  const [began] = useState(isOpen);
  // A link led to it.
  useEffect(() => {
    if (began) item.current?.scrollIntoView({ block: 'nearest' });
  }, [began]);
  const label = (
    <>
      <ChangeSign kind={line.kind} />
      <code>{line.address}</code>
      <span className="soft">{note}</span>
    </>
  );
  if (!reading.isOpen) return <li className={styles.line}>{label}</li>;
  return (
    <li ref={item}>
      <button
        type="button"
        className={styles.line}
        aria-expanded={isOpen}
        onClick={() => onOpen(isOpen ? undefined : line.address)}
      >
        {label}
        <Icon name="down" className={isOpen ? (styles.turned ?? '') : ''} />
      </button>
      {isOpen && (
        <div className={styles.values}>
          {line.addresses.slice(0, MOST_READ).map((address) => (
            <Values key={address} named={{ kind, name: address }} reading={reading} showName={line.others.length > 0} />
          ))}
        </div>
      )}
    </li>
  );
}
