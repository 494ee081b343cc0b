import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { Icon } from '../icon/Icon.tsx';
import { Keys } from '../path-line/Keys.tsx';
import styles from './search.module.css';

/** Milliseconds without a key before what was typed is asked for. */
const PAUSE_MS = 200;

interface SearchBoxProps {
  /** `Find a user`; the key `/` leads there. */
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** A field to search by. */
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
          // The browser would empty it.
          event.preventDefault();
          input.current?.blur();
        }}
      />
      <Keys keys="/" />
    </div>
  );
}

interface SearchProps extends Omit<SearchBoxProps, 'value' | 'onValue'> {
  /** What the address says. */
  readonly text: string;
  /** Told when nothing was typed for a moment. */
  readonly onText: (text: string) => void;
}

/** The same, of a list that is searched while somebody types. */
export function Search({ text, onText, ...rest }: SearchProps) {
  const [typed, setTyped] = useState(text);
  // What the address says wins, unless it says what was typed here a moment ago.
  const [seen, setSeen] = useState(text);
  const [sent, setSent] = useState(text);
  if (seen !== text) {
    setSeen(text);
    if (text !== sent) setTyped(text);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: one pause for each key
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
