/** How a piece of a line looks; absent where it looks like any other. */
export interface Look {
  readonly colour?: Colour;
  readonly bold?: true;
  readonly faint?: true;
  readonly underlined?: true;
}

/** The eight of a terminal, by what they mean here. */
export type Colour = 'bad' | 'good' | 'attention' | 'accent' | 'locked' | 'soft';

/** A piece of a line that looks alike. */
export interface Piece {
  readonly text: string;
  readonly look: Look;
}

const COLOURS: readonly (Colour | undefined)[] = [
  'soft',
  'bad',
  'good',
  'attention',
  'accent',
  'locked',
  'accent',
  undefined,
];
const PLAIN: Look = {};
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what sequences begin with
const ESCAPES = /[\u001b\u0080-\u009f]/;

// What a terminal would obey: CSI …, OSC/DCS/SOS/PM/APC … up to BEL, ST or the end of the line, two-character escapes; the same in C1.
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what sequences are made of
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~]?)|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])(?:(?!\u001b\\)[^\u0007\u009c])*(?:\u0007|\u009c|\u001b\\)?|\u001b[ -/]*[0-~]?/g;
// What would move the cursor, or turn the direction of what follows: letters of any script stay as they are.
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A line as a terminal would colour it. Colours and weights alone are obeyed; whatever else a sequence asks for is dropped. */
export function piecesOf(line: string): readonly Piece[] {
  if (!ESCAPES.test(line)) return [{ text: clean(line), look: PLAIN }];
  const pieces: Piece[] = [];
  let look = PLAIN;
  let from = 0;
  const add = (to: number) => {
    const text = clean(line.slice(from, to));
    if (text !== '') pieces.push({ text, look });
  };
  for (const found of line.matchAll(SEQUENCE)) {
    add(found.index);
    from = found.index + found[0].length;
    if (found[2] === 'm') look = after(look, found[1] ?? '');
  }
  add(line.length);
  return pieces;
}

/** The same without any look. */
export const plainOf = (line: string): string => clean(line.replace(SEQUENCE, ''));

const clean = (text: string): string => text.replace(CONTROLS, '');

/** How it looks after `38;5;196;1`: parameters of SGR. */
function after(before: Look, parameters: string): Look {
  const numbers = parameters.split(/[;:]/).map((one) => Number(one || 0));
  let look = before;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    if (number === 38 || number === 48) {
      // A colour out of 256, or out of all: not ours.
      at += numbers[at + 1] === 2 ? 4 : 2;
      continue;
    }
    look = step(look, number);
  }
  return look;
}

function step(look: Look, number: number): Look {
  if (number === 0) return PLAIN;
  if (number === 1) return { ...look, bold: true };
  if (number === 2) return { ...look, faint: true };
  if (number === 4) return { ...look, underlined: true };
  if (number === 22) return without(look, 'bold', 'faint');
  if (number === 24) return without(look, 'underlined');
  if (number === 39) return without(look, 'colour');
  const index = number >= 30 && number <= 37 ? number - 30 : number >= 90 && number <= 97 ? number - 90 : -1;
  if (index < 0) return look;
  const colour = COLOURS[index];
  return { ...without(look, 'colour'), ...(colour && { colour }) };
}

function without(look: Look, ...names: readonly (keyof Look)[]): Look {
  return Object.fromEntries(Object.entries(look).filter(([name]) => !names.includes(name as keyof Look))) as Look;
}
