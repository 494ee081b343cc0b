import { structuredPatch } from 'diff';
import styles from './diff.module.css';
import * as texts from './texts.ts';

/** Unchanged lines shown around a change. */
const AROUND = 3;
/** Maximum edit distance. Texts that differ more are not compared line by line. */
const MOST_EDITS = 4_000;

/** Shows the difference between two texts, line by line. */
export function Diff({ before, after, label }: { before: string; after: string; label: string }) {
  const patch = structuredPatch('', '', before, after, '', '', { context: AROUND, maxEditLength: MOST_EDITS });
  if (!patch) return <p className="soft">{texts.theTextsDifferToo}</p>;
  if (patch.hunks.length === 0) return <p className="soft">{texts.noDifferences}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the element scrolls, so it must accept keyboard focus
    <section className={styles.diff} aria-label={label} tabIndex={0}>
      {patch.hunks.map((hunk) => (
        <ol key={`${hunk.oldStart} ${hunk.newStart}`}>
          {numbered(hunk.lines, hunk.oldStart, hunk.newStart).map(({ id, sign, line, text }) => (
            <li key={id} className={sign === '+' ? styles.added : sign === '-' ? styles.removed : ''}>
              <span className={styles.n}>{line}</span>
              <span className={styles.sign}>
                {sign.trim() && <span className="sr">{sign === '+' ? texts.added : texts.removed}</span>}
                <span aria-hidden="true">{sign}</span>
              </span>
              <code>{text}</code>
            </li>
          ))}
        </ol>
      ))}
    </section>
  );
}

function numbered(lines: readonly string[], oldStart: number, newStart: number) {
  let [before, after] = [oldStart, newStart];
  return lines
    .filter((line) => !line.startsWith('\\'))
    .map((written, index) => {
      const sign = written[0] ?? ' ';
      const line = sign === '-' ? before : after;
      if (sign !== '+') before++;
      if (sign !== '-') after++;
      return { id: index, sign, line, text: written.slice(1) };
    });
}

/** Returns the numbers of added lines and the count of removed lines; undefined if the texts differ too much. */
export function changedLines(before: string, after: string): { added: number[]; removed: number } | undefined {
  if (before === after) return { added: [], removed: 0 };
  const patch = structuredPatch('', '', before, after, '', '', { context: 0, maxEditLength: MOST_EDITS });
  if (!patch) return undefined;
  const all = patch.hunks.flatMap(({ lines, oldStart, newStart }) => numbered(lines, oldStart, newStart));
  return {
    added: all.filter(({ sign }) => sign === '+').map(({ line }) => line),
    removed: all.filter(({ sign }) => sign === '-').length,
  };
}
