import { useSyncExternalStore } from 'react';

/** Time zone of exact times: UTC, or the zone of this computer. */
export type Zone = 'utc' | 'local';

const KEY = 'zone';
const listeners = new Set<() => void>();
let chosen: Zone = read();

function read(): Zone {
  try {
    return localStorage.getItem(KEY) === 'local' ? 'local' : 'utc';
  } catch {
    // Storage is not available, or this is not a browser.
    return 'utc';
  }
}

export const zone = (): Zone => chosen;

export function chooseZone(next: Zone): void {
  chosen = next;
  try {
    if (next === 'utc') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

/** Returns the chosen zone and renders the component again when it changes. */
export function useZone(): Zone {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, zone);
}
