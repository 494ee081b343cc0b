import { useEffect, useRef, useState } from 'react';
import { ChangeSign } from '../../components/changes/Changes.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { count } from '../../format/number.ts';
import { type ChangeLine, changeLines, othersInWords } from './changes.ts';
import type { ValueReading } from './reading/use-reading.ts';
import styles from './states.module.css';
import * as texts from './texts.ts';
import { Values } from './Values.tsx';

interface Addressed {
  readonly address: string;
  readonly sensitive?: boolean;
}

interface ChangeListProps {
  readonly title: string;
  readonly kind: 'resource' | 'output';
  readonly of: Readonly<Record<'added' | 'changed' | 'removed', readonly Addressed[]>>;
  /** Text for the case that nothing differs. */
  readonly none: string;
  readonly reading: ValueReading;
  /** Address of the resource or output that the URL of the page opens. */
  readonly open: string | undefined;
  readonly onOpen: (address: string | undefined) => void;
}

/** Maximum number of lines shown at first. */
const SHOWN = 100;
/** Maximum number of lines shown at all: a longer page is of no use to a reader. */
const MOST = 2_000;

/** Lists the resources or outputs that were added, changed and removed. A line expands to its values. */
export function ChangeList({ title, kind, of, none, reading, open, onOpen }: ChangeListProps) {
  const [all, setAll] = useState(false);
  const lines = changeLines(of);
  const begin = lines.slice(0, all ? MOST : SHOWN);
  const opened = lines.find(({ address }) => address === open);
  // The opened line is shown even if it is beyond the limit: a link may lead to it.
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
            note={sensitive.has(line.address) ? texts.sensitive : othersInWords(line.others)}
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
              {texts.showMore(count(Math.min(lines.length, MOST) - begin.length))}
            </button>
          )}{' '}
          {lines.length > MOST && texts.moreAreInThe(count(lines.length - MOST))}
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

/** Maximum number of instances of one line whose values are read. */
const MOST_READ = 20;

function Line({ line, kind, note, reading, isOpen, onOpen }: LineProps) {
  const item = useRef<HTMLLIElement>(null);
  const [began] = useState(isOpen);
  // A link may lead to this line: it scrolls into view.
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
