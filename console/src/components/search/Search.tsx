import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { Icon } from '../icon/Icon.tsx';
import { Keys } from '../path-line/Keys.tsx';
import styles from './search.module.css';

/** Debounce delay of the search, milliseconds. */
const PAUSE_MS = 200;

interface SearchBoxProps {
  /** Accessible name, such as `Find a user`. The key `/` focuses the field. */
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Search field with a text that the caller keeps. */
export function SearchBox({ label, placeholder, value, onValue }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: label.toLowerCase(), run: () => input.current?.focus() }]);
  return (
    <div className={styles.search}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Prevents the browser from clearing the field.
          event.preventDefault();
          input.current?.blur();
        }}
      />
      <Keys keys="/" />
    </div>
  );
}

interface SearchProps extends Omit<SearchBoxProps, 'value' | 'onValue'> {
  /** Search text from the URL. */
  readonly text: string;
  /** Called when the user has stopped typing for a moment. */
  readonly onText: (text: string) => void;
}

/** Search field that searches while the user types. */
export function Search({ text, onText, ...rest }: SearchProps) {
  const [typed, setTyped] = useState(text);
  // A change of the URL wins over the typed text, unless the URL only echoes it.
  const [seen, setSeen] = useState(text);
  const [sent, setSent] = useState(text);
  if (seen !== text) {
    setSeen(text);
    if (text !== sent) setTyped(text);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key restarts the delay
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => {
      setSent(typed);
      onText(typed);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return <SearchBox {...rest} value={typed} onValue={setTyped} />;
}
