/**
 * Whether `value` fits `pattern`, in which `*` stands for any run of characters (dots and slashes included, none at all
 * too) and everything else for itself, case included. One pass from left to right: what lies between two stars is taken
 * where it is first found, which is enough when stars are the only wildcard.
 */
export function matchesGlob(pattern: string, value: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return value === pattern;
  if (!value.startsWith(head)) return false;
  let position = head.length;
  for (const part of rest) {
    const found = value.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return value.length - tail.length >= position && value.endsWith(tail);
}
