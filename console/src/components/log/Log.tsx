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
import * as texts from './texts.ts';
import { useFind } from './use-find.ts';
import type { ReadLog } from './use-log.ts';

/** Lines rendered above and below the visible ones. */
const OVERSCAN = 8;
const LINE_PX = 20;
/** Distance from the end within which the view follows new lines, pixels. */
const NEAR_PX = 24;

interface LogProps {
  /** Id of the log's subject: a plan or an apply. */
  readonly id: string;
  /** State of reading the log. */
  readonly read: ReadLog;
  /** Accessible name: `Log of the plan`. */
  readonly label: string;
  /** Name of the downloaded file. */
  readonly file: string;
  /** Whether more lines are expected. The view follows the end until the user scrolls up. */
  readonly isRunning: boolean;
  /** Whether the view starts at the end, because a failure is reported there. */
  readonly startsAtEnd?: boolean;
  /** Line number from the URL, from 1. */
  readonly line: number | undefined;
  readonly onLine: (line: number | undefined) => void;
  /** Note beside the title of a finished log. */
  readonly note?: ReactNode;
}

/** Virtualized log of any length: only visible lines are in the document. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the end when lines arrive
  useEffect(() => {
    if (follows && total > 0) virtual.scrollToIndex(total - 1, { align: 'end' });
  }, [follows, total]);
  const hasLine = line !== undefined && line <= total;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the line arrives or another one is selected
  useEffect(() => {
    if (hasLine) jump((line ?? 1) - 1);
  }, [line, hasLine, id]);

  const step = (by: number) => {
    if (found.length === 0) return;
    const next = (at + by + found.length) % found.length;
    setAt(next);
    jump(found[next] ?? 0);
    announce(texts.lineOfMatches((found[next] ?? 0) + 1, next + 1, found.length));
  };
  // Scrolls to the first match of a new search.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the matches change
  useEffect(() => {
    setAt(0);
    if (found[0] !== undefined && wanted !== '') jump(found[0]);
  }, [wanted, found[0]]);
  const save = () => saveAs(file, log.bytes());
  useShortcuts([
    { keys: 'f', label: texts.followTheLog, run: () => setFollows(true) },
    { keys: 'n', label: texts.nextMatch2, run: () => step(1) },
    { keys: 'N', label: texts.previousMatch2, run: () => step(-1) },
  ]);
  const fresh = total - left;
  return (
    <div className={styles.pane}>
      <div className={styles.head}>
        <h2>{texts.log}</h2>
        {!isThere ? (
          <span className="soft">{error ? texts.notLoaded : texts.notStarted}</span>
        ) : isRunning && !log.hasEnded ? (
          <State icon="run" is="run" turns>
            {follows ? texts.following : texts.running}
          </State>
        ) : (
          <span className="soft">
            {counted(total, texts.line2)}
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
            aria-label={texts.downloadTheLog}
            title={texts.downloadTheLog}
            onClick={save}
          >
            <Icon name="download" />
          </Button>
        </span>
      </div>
      {error && (
        <p className={styles.fault} role="alert">
          {error.message}. {error.isRefusal ? texts.theLogWasNot : texts.theConsoleTriesAgain}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the element scrolls, so it must accept keyboard focus */}
      <section ref={pane} className={styles.log} aria-label={label} tabIndex={0} onScroll={onScroll}>
        {total === 0 && <p className={styles.none}>{log.hasEnded ? texts.theLogIsEmpty : texts.noOutputYet}</p>}
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
        {log.isCut && <p className={styles.none}>{texts.theLogHasMore}</p>}
      </section>
      {!follows && isRunning && !log.hasEnded && (
        <div className={styles.fresh}>
          <Button look="small" onClick={() => setFollows(true)}>
            <Icon name="down" />
            {fresh > 0 ? texts.newText(count(fresh), fresh === 1 ? texts.line2 : texts.lines) : texts.follow}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Width of the longest line number. */
const gutterOf = (lines: number): string => `${Math.max(4, String(lines).length + 1)}ch`;

/** Saves the bytes that the page has already read, without another request. */
function saveAs(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
