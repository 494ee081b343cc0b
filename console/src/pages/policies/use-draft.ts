import { useEffect, useState } from 'react';

const keyOf = (name: string): string => `draft of policy ${name}`;

/** Draft of a policy. It stays in this tab until it is saved or discarded, also across reloads. */
export function useDraft(name: string) {
  const [draft, setDraft] = useState(() => sessionStorage.getItem(keyOf(name)) ?? undefined);
  const change = (text: string | undefined) => {
    setDraft(text);
    if (text === undefined) sessionStorage.removeItem(keyOf(name));
    else keep(name, text);
  };
  return [draft, change] as const;
}

/** If session storage is full, the draft lasts until the page is closed. */
function keep(name: string, text: string): void {
  try {
    sessionStorage.setItem(keyOf(name), text);
  } catch {
    sessionStorage.removeItem(keyOf(name));
  }
}

/** Debounces a value, so that typing does not send a request for each letter. */
export function useSettled<T>(value: T, ms = 300): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
