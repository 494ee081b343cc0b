import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../components/icon/Icon.tsx';
import { Keys } from '../../components/path-line/Keys.tsx';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import styles from './users.module.css';

/** Milliseconds without a key before what was typed is asked for. */
const PAUSE_MS = 200;

/** A part of a name or an address. */
export function UserSearch({ name, onChange }: { readonly name: string; readonly onChange: (name: string) => void }) {
  const [typed, setTyped] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one pause for each key
  useEffect(() => {
    if (typed === name) return;
    const timer = setTimeout(() => onChange(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useShortcuts([{ keys: '/', label: 'find a user', run: () => input.current?.focus() }]);
  return (
    <div className={styles.search}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Find a user"
        placeholder="Part of a name or address"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') input.current?.blur();
        }}
      />
      <Keys keys="/" />
    </div>
  );
}
