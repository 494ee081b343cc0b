import type { Ref } from 'react';
import { type Look, type Piece, piecesOf } from './ansi.ts';
import styles from './log.module.css';
import * as texts from './texts.ts';

interface LineProps {
  /** Line number, from 1. */
  readonly number: number;
  readonly text: string;
  /** Distance of the line from the top of the log, pixels. */
  readonly top: number;
  readonly isMarked: boolean;
  /** Search text to highlight. */
  readonly wanted: string;
  /** Whether the line is the current match. */
  readonly isFound: boolean;
  readonly onMark: (number: number) => void;
  readonly ref: Ref<HTMLLIElement>;
}

/** One line of a log. Its number is a link to it. */
export function Line({ number, text, top, isMarked, wanted, isFound, onMark, ref }: LineProps) {
  const look = `${styles.line} ${isMarked ? styles.marked : ''} ${isFound ? styles.found : ''}`;
  return (
    <li
      ref={ref}
      className={look}
      data-index={number - 1}
      style={{ transform: `translateY(${top}px)` }}
      {...(isMarked && { 'aria-current': true })}
    >
      <a
        href={`#L${number}`}
        tabIndex={-1}
        aria-label={texts.line(number)}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onMark(number);
        }}
      >
        {number}
      </a>
      <span className={styles.text}>
        {piecesOf(text).map((piece, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the pieces never changes
          <PieceText key={at} piece={piece} wanted={wanted} />
        ))}
      </span>
    </li>
  );
}

function PieceText({ piece: { text, look }, wanted }: { readonly piece: Piece; readonly wanted: string }) {
  const content = wanted === '' ? text : marked(text, wanted);
  const name = classOf(look);
  return name === '' ? content : <span className={name}>{content}</span>;
}

const classOf = ({ colour, bold, faint, underlined }: Look): string =>
  [colour && styles[colour], bold && styles.bold, faint && styles.soft, underlined && styles.underlined]
    .filter(Boolean)
    .join(' ');

function marked(text: string, wanted: string) {
  const parts: React.ReactNode[] = [];
  const lower = text.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
