/** Pattern for names: literal texts with any characters between them. */
export type NamePattern = readonly string[];

/** Returns whether a name matches a pattern, ignoring case. Names are ASCII and must be in lower case. */
export function likeness(pattern: NamePattern): (name: string) => boolean {
  const [first = '', ...others] = pattern.map((part) => part.toLowerCase());
  const last = others.pop();
  if (last === undefined) return (name) => name === first;
  const [only = ''] = others;
  if (first === '' && last === '' && others.length === 1) return (name) => name.includes(only);
  return (name) => {
    if (!name.startsWith(first)) return false;
    let at = first.length;
    for (const part of others) {
      const found = name.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return name.endsWith(last) && name.length - last.length >= at;
  };
}
