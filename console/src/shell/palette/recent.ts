/** Something that was gone to from the palette: what it is, and its name; of a workspace or a team with what it is found by before it. */
export interface Recent {
  readonly kind: 'place' | 'workspace' | 'role' | 'policy' | 'team';
  readonly names: readonly string[];
}

const KEY = 'recent';
const MOST = 6;

export function readRecent(): readonly Recent[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Names alone, in this browser alone. */
export function remember(one: Recent): void {
  const others = readRecent().filter((other) => JSON.stringify(other) !== JSON.stringify(one));
  try {
    localStorage.setItem(KEY, JSON.stringify([one, ...others].slice(0, MOST)));
  } catch {
    // Without storage nothing is recent.
  }
}

/** Whoever signs in next is somebody else. */
export function forgetRecent(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // There was nothing.
  }
}

function isRecent(one: unknown): one is Recent {
  const { kind, names } = (one ?? {}) as Partial<Recent>;
  return typeof kind === 'string' && Array.isArray(names) && names.every((name) => typeof name === 'string');
}
