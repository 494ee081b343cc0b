import { useEffect, useRef, useSyncExternalStore } from 'react';

/** A key, or two keys in sequence: `j`, `g w`, `?`. */
export interface Shortcut {
  readonly keys: string;
  /** Description in a word or two: `open`. */
  readonly label: string;
  /** Whether the bottom of the page lists the shortcut. */
  readonly hint?: boolean;
  readonly run: () => void;
}

/** Maximum time between the two keys of a sequence, milliseconds. */
const PAIR_MS = 1_000;

let active: readonly Shortcut[] = [];
const listeners = new Set<() => void>();
let pending = { key: '', at: 0 };

function change(next: readonly Shortcut[]): void {
  active = next;
  for (const listener of listeners) listener();
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (document.querySelector('dialog[open]') || (event.key === 'Enter' && isControl(event.target))) return;
  const pair = Date.now() - pending.at < PAIR_MS ? `${pending.key} ${event.key}` : '';
  // The last registered shortcut wins, so that a page overrides the shell.
  const found = active.findLast(({ keys }) => keys === pair) ?? active.findLast(({ keys }) => keys === event.key);
  pending = { key: event.key, at: found ? 0 : Date.now() };
  if (!found) return;
  event.preventDefault();
  found.run();
}

/** Shortcuts are off while the user types into a field. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('a, button, summary, [role]:not(main)');

/** Registers shortcuts while the component is mounted. Every shortcut must also have a visible control. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = shortcuts.map(({ keys }) => keys).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys identify the shortcuts; the ref holds the latest actions
  useEffect(() => {
    const own = latest.current.map((one, index) => ({ ...one, run: () => latest.current[index]?.run() }));
    change([...active, ...own]);
    return () => change(active.filter((one) => !own.includes(one)));
  }, [names]);
}

/** All active shortcuts, those of the shell first. */
export function useActiveShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, () => active);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) document.addEventListener('keydown', onKey);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) document.removeEventListener('keydown', onKey);
  };
}
