import { useSyncExternalStore } from 'react';

/** In which zone exact times are told: UTC, which is the same for all who talk of one, or that of the computer. */
export type Zone = 'utc' | 'local';

const KEY = 'zone';
const listeners = new Set<() => void>();
let chosen: Zone = read();

function read(): Zone {
  try {
    return localStorage.getItem(KEY) === 'local' ? 'local' : 'utc';
  } catch {
    // Without storage, and outside of a browser.
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
    // It holds for this page.
  }
  for (const listener of listeners) listener();
}

/** Whatever shows it is shown anew when another is chosen. */
export function useZone(): Zone {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, zone);
}
