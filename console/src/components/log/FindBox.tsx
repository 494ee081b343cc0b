import { useRef } from 'react';
import { count } from '../../format/number.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { Button } from '../button/Button.tsx';
import { Icon } from '../icon/Icon.tsx';
import styles from './log.module.css';
import * as texts from './texts.ts';
import { MOST_FOUND } from './use-find.ts';

interface FindBoxProps {
  readonly typed: string;
  readonly onText: (text: string) => void;
  /** Number of matching lines, and index of the current match. */
  readonly found: number;
  readonly at: number;
  readonly onStep: (by: number) => void;
  readonly onLine: (line: number) => void;
}

/** Search box of a log: finds text, or goes to a line with `:391`. */
export function FindBox({ typed, onText, found, at, onStep, onLine }: FindBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: texts.findInTheLog, hint: true, run: () => input.current?.focus() }]);
  const line = /^:(\d{1,9})$/.exec(typed)?.[1];
  const isText = typed !== '' && !typed.startsWith(':');
  const enter = (isBack: boolean) => (line === undefined ? onStep(isBack ? -1 : 1) : onLine(Number(line)));
  return (
    <>
      <span className={styles.find}>
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          aria-label={texts.findInTheLog2}
          placeholder={texts.findOr391For}
          value={typed}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') enter(event.shiftKey);
            if (event.key === 'Escape') input.current?.blur();
          }}
        />
        {isText && (
          <span className="soft num" role="status">
            {found === 0 ? texts.noMatches : texts.ofText(count(at + 1), count(found), found === MOST_FOUND ? '+' : '')}
          </span>
        )}
      </span>
      {isText && found > 0 && (
        <>
          <Button look={['quiet', 'small', 'square']} aria-label={texts.previousMatch} onClick={() => onStep(-1)}>
            <Icon name="down" className={styles.up ?? ''} />
          </Button>
          <Button look={['quiet', 'small', 'square']} aria-label={texts.nextMatch} onClick={() => onStep(1)}>
            <Icon name="down" />
          </Button>
        </>
      )}
    </>
  );
}
