/** C0, DEL and C1, but for the end of a line and the tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A text of others as a terminal may show it: what would steer the terminal is spelled out. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
