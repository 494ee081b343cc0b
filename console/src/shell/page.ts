import { useEffect, useSyncExternalStore } from 'react';

/** One step on the way to a page; the page itself leads nowhere. */
export interface Crumb {
  readonly label: string;
  /** Below `/app`. */
  readonly to?: string;
}

let current: readonly Crumb[] = [];
const listeners = new Set<() => void>();

/** Says where a page is: in the bar, and in the title of the window. */
export function usePlace(crumbs: readonly Crumb[]): void {
  const text = JSON.stringify(crumbs);
  useEffect(() => {
    current = JSON.parse(text) as readonly Crumb[];
    document.title = [...current.map(({ label }) => label).reverse(), 'Lockkeeper'].join(' · ');
    for (const listener of listeners) listener();
  }, [text]);
}

export function useCrumbs(): readonly Crumb[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
