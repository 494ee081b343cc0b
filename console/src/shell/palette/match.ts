/** Splits the typed text into words. A name matches if it contains all of them, in any order. */
export const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

export const matches = (name: string, words: readonly string[]): boolean =>
  words.every((word) => name.toLowerCase().includes(word));

/** Pattern for the workspace search of the API: the words in order, with anything between them. */
export const patternOf = (words: readonly string[]): string =>
  `*${words.map((word) => word.replaceAll('*', '')).join('*')}*`;

/** Splits a name into parts and says which of them match the typed words. */
export function marked(name: string, words: readonly string[]): readonly (readonly [text: string, isTyped: boolean])[] {
  const lower = name.toLowerCase();
  // Some letters become longer in lower case, which shifts offsets; such a name is not marked.
  if (lower.length !== name.length) return [[name, false]];
  const typed = new Uint8Array(name.length);
  for (const word of words) {
    const at = lower.indexOf(word);
    if (at >= 0) typed.fill(1, at, at + word.length);
  }
  const parts: [string, boolean][] = [];
  for (let at = 0; at < name.length; at++) {
    const last = parts.at(-1);
    const isTyped = typed[at] === 1;
    if (last && last[1] === isTyped) last[0] += name[at];
    else parts.push([name[at] ?? '', isTyped]);
  }
  return parts;
}
