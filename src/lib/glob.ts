/** Parts up to this long are looked for by the engine, whose worst case is their length for each character. */
const SHORT_PART = 8;

/** Whether a value fits a pattern. */
export type Glob = (value: string) => boolean;

/**
 * Whether `value` fits `pattern`, in which `*` stands for any run of characters (dots and slashes included, none at all
 * too) and everything else for itself, case included.
 */
export function matchesGlob(pattern: string, value: string): boolean {
  return compileGlob(pattern)(value);
}

/**
 * A pattern, ready for many values. One pass from left to right: what lies between two stars is taken where it is first
 * found, which is enough when stars are the only wildcard. The time is linear in the value, whatever the pattern is.
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

/** Finds the first place of something in a text from a position on, and returns the place behind it; -1: there is none. */
type Finder = (text: string, from: number) => number;

function finder(part: string): Finder {
  if (part.length > SHORT_PART) return longFinder(part);
  return (text, from) => {
    const found = text.indexOf(part, from);
    return found < 0 ? -1 : found + part.length;
  };
}

/** Knuth, Morris and Pratt: never looks at a character of the text twice. */
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

/** For each place, how much of the beginning is also the end of what comes up to there. */
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
