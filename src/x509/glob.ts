const STAR = '*';

/**
 * True when `value` matches `pattern`, in which `*` stands for any run of characters, dots and nothing at all included, and every other
 * character for itself. The whole value has to match; case counts. Each piece between stars is looked for once, from where
 * the one before it ended: no backtracking, and no regular expression made of what somebody typed.
 */
export function matchesGlob(pattern: string, value: string): boolean {
  const [start = '', ...pieces] = pattern.split(STAR);
  const end = pieces.pop();
  if (end === undefined) return value === pattern;
  if (!value.startsWith(start)) return false;
  let position = start.length;
  for (const piece of pieces) {
    const found = value.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return value.length - position >= end.length && value.endsWith(end);
}
