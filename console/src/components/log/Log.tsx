import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { count, counted } from '../../format/number.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { Button } from '../button/Button.tsx';
import { announce } from '../copy/announce.ts';
import { Icon } from '../icon/Icon.tsx';
import { State } from '../state/State.tsx';
import { FindBox } from './FindBox.tsx';
import { Line } from './Line.tsx';
import styles from './log.module.css';
import { useFind } from './use-find.ts';
import type { ReadLog } from './use-log.ts';

/** Above and below those in view. */
const OVERSCAN = 8;
const LINE_PX = 20;
/** So near its end somebody is who follows it, pixels. */
const NEAR_PX = 24;

interface LogProps {
  /** Of what it is the log. */
  readonly id: string;
  /** What was read of it. */
  readonly read: ReadLog;
  /** `Log of the plan` */
  readonly label: string;
  /** What the download is called. */
  readonly file: string;
  /** More of it is expected: its end is in view until somebody scrolls up. */
  readonly isRunning: boolean;
  /** Its end says most: it failed. */
  readonly startsAtEnd?: boolean;
  /** The line that the address names, from 1 on. */
  readonly line: number | undefined;
  readonly onLine: (line: number | undefined) => void;
  /** Beside its title, once it is over. */
  readonly note?: ReactNode;
}

/** A log of any length: the lines in view are in the page, and no others. */
export function Log({ id, read, label, file, isRunning, startsAtEnd, line, onLine, note }: LogProps) {
  const { log, isThere, error } = read;
  const total = log.count;
  const pane = useRef<HTMLElement>(null);
  const [follows, setFollows] = useState((isRunning || Boolean(startsAtEnd)) && line === undefined);
  const [left, setLeft] = useState(0);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const wanted = typed.startsWith(':') ? '' : typed;
  const found = useFind(log, total, wanted);
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => pane.current,
    estimateSize: () => LINE_PX,
    overscan: OVERSCAN,
  });
  const jump = (index: number) => {
    setFollows(false);
    setLeft(total);
    virtual.scrollToIndex(index, { align: 'center' });
  };
  const lastTop = useRef(0);
  const onScroll = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = pane.current ?? {};
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    if (isAtEnd) setFollows(isRunning || follows);
    else if (scrollTop < lastTop.current - 1 && follows) {
      setFollows(false);
      setLeft(total);
    }
    lastTop.current = scrollTop;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: when there is more, its end is further down
  useEffect(() => {
    if (follows && total > 0) virtual.scrollToIndex(total - 1, { align: 'end' });
  }, [follows, total]);
  const hasLine = line !== undefined && line <= total;
  // biome-ignore lint/correctness/useExhaustiveDependencies: gone to once it is there, and when another one is named
  useEffect(() => {
    if (hasLine) jump((line ?? 1) - 1);
  }, [line, hasLine, id]);

  const step = (by: number) => {
    if (found.length === 0) return;
    const next = (at + by + found.length) % found.length;
    setAt(next);
    jump(found[next] ?? 0);
    announce(`Line ${(found[next] ?? 0) + 1}, ${next + 1} of ${found.length}`);
  };
  // What is looked for is gone to as soon as it is found.
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when others are found
  useEffect(() => {
    setAt(0);
    if (found[0] !== undefined && wanted !== '') jump(found[0]);
  }, [wanted, found[0]]);
  const save = () => saveAs(file, log.bytes());
  useShortcuts([
    { keys: 'f', label: 'follow the log', run: () => setFollows(true) },
    { keys: 'n', label: 'next found line', run: () => step(1) },
    { keys: 'N', label: 'found line before', run: () => step(-1) },
  ]);
  const fresh = total - left;
  return (
    <div className={styles.pane}>
      <div className={styles.head}>
        <h2>Log</h2>
        {!isThere ? (
          <span className="soft">{error ? 'not read' : 'not begun'}</span>
        ) : isRunning && !log.hasEnded ? (
          <State icon="run" is="run" turns>
            {follows ? 'following' : 'running'}
          </State>
        ) : (
          <span className="soft">
            {counted(total, 'line')}
            {note && <>, {note}</>}
          </span>
        )}
        <span className={styles.end}>
          <FindBox
            typed={typed}
            onText={(text) => setTyped(text.toLowerCase())}
            found={found.length}
            at={at}
            onStep={step}
            onLine={(number) => onLine(Math.max(1, Math.min(number, total)))}
          />
          <Button
            look={['quiet', 'small', 'square']}
            aria-label="Download the log"
            title="Download the log"
            onClick={save}
          >
            <Icon name="download" />
          </Button>
        </span>
      </div>
      {error && (
        <p className={styles.fault} role="alert">
          {error.message}. {error.isRefusal ? 'The log is not there, or not for you.' : 'It is asked again.'}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard reaches it */}
      <section ref={pane} className={styles.log} aria-label={label} tabIndex={0} onScroll={onScroll}>
        {total === 0 && <p className={styles.none}>{log.hasEnded ? 'Nothing was said.' : 'Nothing was said yet.'}</p>}
        <ol style={{ height: virtual.getTotalSize(), '--gutter': gutterOf(total) } as React.CSSProperties}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <Line
              key={index}
              ref={virtual.measureElement}
              number={index + 1}
              text={log.line(index)}
              top={start}
              isMarked={index + 1 === line}
              isFound={wanted !== '' && found[at] === index}
              wanted={wanted}
              onMark={onLine}
            />
          ))}
        </ol>
        {log.isCut && <p className={styles.none}>There are more lines than are shown: the rest is in the download.</p>}
      </section>
      {!follows && isRunning && !log.hasEnded && (
        <div className={styles.fresh}>
          <Button look="small" onClick={() => setFollows(true)}>
            <Icon name="down" />
            {fresh > 0 ? `${count(fresh)} new ${fresh === 1 ? 'line' : 'lines'}` : 'Follow'}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Room for the longest number. */
const gutterOf = (lines: number): string => `${Math.max(4, String(lines).length + 1)}ch`;

/** What the page has read is what is saved: nothing is asked for once more. */
function saveAs(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
