import { useEffect, useSyncExternalStore } from 'react';

/** One breadcrumb. The last one, the page itself, has no link. */
export interface Crumb {
  readonly label: string;
  /** Path below `/app`. */
  readonly to?: string;
}

let current: readonly Crumb[] = [];
const listeners = new Set<() => void>();

/** Sets the breadcrumbs and the window title of a page. */
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
