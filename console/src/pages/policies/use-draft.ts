import { useEffect, useState } from 'react';

const keyOf = (name: string): string => `draft of policy ${name}`;

/** What somebody makes of a policy. It stays in this tab until it is saved or discarded, through reloads too. */
export function useDraft(name: string) {
  const [draft, setDraft] = useState(() => sessionStorage.getItem(keyOf(name)) ?? undefined);
  const change = (text: string | undefined) => {
    setDraft(text);
    if (text === undefined) sessionStorage.removeItem(keyOf(name));
    else keep(name, text);
  };
  return [draft, change] as const;
}

/** Where there is no room, the page keeps it alone. */
function keep(name: string, text: string): void {
  try {
    sessionStorage.setItem(keyOf(name), text);
  } catch {
    sessionStorage.removeItem(keyOf(name));
  }
}

/** A value that has not changed for a while: what is typed is not asked for letter by letter. */
export function useSettled<T>(value: T, ms = 300): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
