/** Control characters C0, DEL and C1, except newline and tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of a colour
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Like `printable` for engine output. Keeps colours on a terminal and removes them otherwise. */
export function printableLog(text: string, isTerminal: boolean): string {
  if (!isTerminal) return printable(text.replaceAll(COLOURS, ''));
  const colours = text.match(COLOURS) ?? [];
  return text
    .split(COLOURS)
    .map((part, index) => printable(part) + (colours[index] ?? ''))
    .join('');
}

/** Escapes control sequences in untrusted text, so that it cannot control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
