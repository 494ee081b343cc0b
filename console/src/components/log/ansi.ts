/** Style of a piece of a line; empty for plain text. */
export interface Look {
  readonly colour?: Colour;
  readonly bold?: true;
  readonly faint?: true;
  readonly underlined?: true;
}

/** The eight terminal colours, mapped to the console's meanings. */
export type Colour = 'bad' | 'good' | 'attention' | 'accent' | 'locked' | 'soft';

/** A piece of a line with one style. */
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
// biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences start with control characters
const ESCAPES = /[\u001b\u0080-\u009f]/;

// Terminal control sequences: CSI; OSC, DCS, SOS, PM and APC up to BEL, ST or the end of the line; two-character
// escapes;
// and their C1 forms.
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences consist of control characters
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~]?)|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])(?:(?!\u001b\\)[^\u0007\u009c])*(?:\u0007|\u009c|\u001b\\)?|\u001b[ -/]*[0-~]?/g;
// Control characters that move the cursor, and bidirectional controls. Letters of all scripts stay.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression is about control characters
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Splits a line into styled pieces. Applies colours and weights, and drops all other control sequences. */
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

/** Returns a line without control sequences. */
export const plainOf = (line: string): string => clean(line.replace(SEQUENCE, ''));

const clean = (text: string): string => text.replace(CONTROLS, '');

/** Applies SGR parameters such as `38;5;196;1` to a style. */
function after(before: Look, parameters: string): Look {
  const numbers = parameters.split(/[;:]/).map((one) => Number(one || 0));
  let look = before;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    if (number === 38 || number === 48) {
      // Extended colours (256 colours or RGB) are ignored.
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
