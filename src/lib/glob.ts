/** Parts up to this length are found with `indexOf`, whose worst case is the length of the part for each character. */
const SHORT_PART = 8;

/** Returns whether a value matches a pattern. */
export type Glob = (value: string) => boolean;

/**
 * Returns whether `value` matches `pattern`. `*` matches any number of characters, dots and slashes included; every
 * other character matches itself, and case counts.
 */
export function matchesGlob(pattern: string, value: string): boolean {
  return compileGlob(pattern)(value);
}

/**
 * Compiles a pattern that is matched with many values. Matching is one pass from left to right: each part between two
 * stars is matched at its first position, which is enough because a star is the only wildcard. The time is linear in
 * the value for every pattern.
 */
export function compileGlob(pattern: string): Glob {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (value) => value === pattern;
  const finders = rest.filter((part) => part !== '').map(finder);
  const shortest = pattern.length - rest.length - 1;
  return (value) => {
    if (value.length < shortest || !value.startsWith(head) || !value.endsWith(tail)) return false;
    let position = head.length;
    for (const find of finders) {
      position = find(value, position);
      if (position < 0) return false;
    }
    return value.length - tail.length >= position;
  };
}

/** Finds a part in a text from a position on. Returns the position behind the part, or -1. */
type Finder = (text: string, from: number) => number;

function finder(part: string): Finder {
  if (part.length > SHORT_PART) return longFinder(part);
  return (text, from) => {
    const found = text.indexOf(part, from);
    return found < 0 ? -1 : found + part.length;
  };
}

/** Knuth–Morris–Pratt search: looks at each character of the text once. */
function longFinder(part: string): Finder {
  const borders = bordersOf(part);
  return (text, from) => {
    let matched = 0;
    for (let i = from; i < text.length; i++) {
      while (matched > 0 && text.charCodeAt(i) !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
      if (text.charCodeAt(i) === part.charCodeAt(matched)) matched++;
      if (matched === part.length) return i + 1;
    }
    return -1;
  };
}

/** Returns, for each position, the length of the longest proper prefix that is also a suffix up to there. */
function bordersOf(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let border = 0;
  for (let i = 1; i < part.length; i++) {
    while (border > 0 && part.charCodeAt(i) !== part.charCodeAt(border)) border = borders[border - 1] ?? 0;
    if (part.charCodeAt(i) === part.charCodeAt(border)) border++;
    borders[i] = border;
  }
  return borders;
}
