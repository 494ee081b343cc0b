/** A text in the local storage of this browser. */
export interface Kept {
  /** Returns null if there is none, and without storage. */
  readonly read: () => string | null;
  /** Does nothing without storage. Null removes the text. */
  readonly keep: (text: string | null) => void;
  readonly forget: () => void;
}

export function kept(key: string): Kept {
  const keep = (text: string | null) => {
    try {
      if (text === null) localStorage.removeItem(key);
      else if (localStorage.getItem(key) !== text) localStorage.setItem(key, text);
    } catch {
      // The user has switched the storage off.
    }
  };
  return {
    read: () => {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    keep,
    forget: () => keep(null),
  };
}
