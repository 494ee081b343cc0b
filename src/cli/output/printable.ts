/** C0, DEL and C1, but for the end of a line and the tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of a colour
const COLOURS = /\u001b\[[0-9;]*m/g;

/** The same of what an engine prints, whose colours a terminal may show; what is no terminal gets none. */
export function printableLog(text: string, isTerminal: boolean): string {
  if (!isTerminal) return printable(text.replaceAll(COLOURS, ''));
  const colours = text.match(COLOURS) ?? [];
  return text
    .split(COLOURS)
    .map((part, index) => printable(part) + (colours[index] ?? ''))
    .join('');
}

/** A text of others as a terminal may show it: what would steer the terminal is spelled out. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
