/** `*` in a segment: any number of characters. */
const STAR: unique symbol = Symbol('*');
/** `?` in a segment: one character. */
const ONE: unique symbol = Symbol('?');
/** `**` as a segment: any number of folders. */
const FOLDERS: unique symbol = Symbol('**');

/** Characters between brackets. */
interface CharacterClass {
  readonly isNegated: boolean;
  /** First and last code point of each range. */
  readonly ranges: readonly (readonly [number, number])[];
}

type Token = string | typeof STAR | typeof ONE | CharacterClass;
/** Part of a pattern between slashes. A text matches itself. */
type Segment = string | typeof FOLDERS | readonly Token[];

/**
 * Compiled pattern for the paths of files. A state is the number of a segment: the part of the pattern that the next
 * name of a path must match. Sets of states make the time linear in the path, for every pattern.
 */
export type PathGlob = readonly Segment[];
export type GlobStates = ReadonlySet<number>;

/** Counts comparisons of characters, so that the caller can stop a search that takes too long. */
export interface Meter {
  steps: number;
}

/**
 * Compiles a pattern. `*` matches any characters of a name, `?` one, `[a-z]` one of a class, `**` any number of folders,
 * `\` the next character itself. The pattern starts at the root, with or without a slash. One that ends with a slash
 * matches everything in the folder. Names that begin with a dot match too.
 */
export function compilePathGlob(pattern: string): PathGlob {
  if (pattern === '') return [[]];
  const glob: Segment[] = [];
  for (const segment of segmentsOf(pattern)) {
    if (segment !== FOLDERS || glob.at(-1) !== FOLDERS) glob.push(segment);
  }
  return glob.at(-1) === FOLDERS ? [...glob, [STAR]] : glob;
}

/** Returns why a pattern is not supported: other programs give these characters a meaning. Undefined if it is. */
export function pathGlobProblem(pattern: string): string | undefined {
  if (pattern.startsWith('!')) return 'A pattern cannot start with "!". To match the character itself, write "\\!"';
  for (let at = 0; at < pattern.length; ) {
    const [token, width] = tokenAt(pattern, at);
    // An escaped brace has the width 2.
    if ((token === '{' || token === '}') && width === 1) {
      return `Braces are not supported. Write one pattern for each choice, or "\\${token}" to match the character itself`;
    }
    at += width;
  }
  return undefined;
}

export function matchesPathGlob(glob: PathGlob, path: string): boolean {
  const meter = { steps: 0 };
  let states = startOf(glob);
  for (const name of path.split('/')) {
    if (name !== '') states = advance(glob, states, name, meter);
  }
  return isMatch(glob, states);
}

/** Returns the states before the first name of a path. */
export function startOf(glob: PathGlob): GlobStates {
  return withSuccessors(glob, new Set(), 0);
}

/** Returns the states after a name of a path. Without any, nothing below matches. */
export function advance(glob: PathGlob, states: GlobStates, name: string, meter: Meter): GlobStates {
  const next = new Set<number>();
  for (const state of states) {
    const segment = glob[state];
    meter.steps++;
    if (segment === FOLDERS) withSuccessors(glob, next, state);
    else if (segment !== undefined && matchesName(segment, name, meter)) withSuccessors(glob, next, state + 1);
  }
  return next;
}

/** Returns whether a path that ends here matches. */
export function isMatch(glob: PathGlob, states: GlobStates): boolean {
  return states.has(glob.length);
}

/** Returns the only names that can follow; undefined if a wildcard may match others. */
export function nextNames(glob: PathGlob, states: GlobStates): readonly string[] | undefined {
  const names: string[] = [];
  for (const state of states) {
    const segment = glob[state];
    if (typeof segment === 'string') names.push(segment);
    else if (segment !== undefined) return undefined;
  }
  return names;
}

/** Adds a state, and the next one if `**` may match no folder. */
function withSuccessors(glob: PathGlob, states: Set<number>, state: number): Set<number> {
  states.add(state);
  if (glob[state] === FOLDERS) states.add(state + 1);
  return states;
}

/** Goes back to the last star only, which is enough: an earlier one could not match more. */
function matchesName(segment: string | readonly Token[], name: string, meter: Meter): boolean {
  if (typeof segment === 'string') return segment === name;
  let token = 0;
  let at = 0;
  let star = -1;
  let afterStar = 0;
  while (at < name.length) {
    meter.steps++;
    const code = name.codePointAt(at) ?? 0;
    const wanted = segment[token];
    if (wanted === STAR) {
      star = token++;
      afterStar = at;
    } else if (wanted !== undefined && accepts(wanted, code)) {
      token++;
      at += widthOf(code);
    } else if (star >= 0) {
      afterStar += widthOf(name.codePointAt(afterStar) ?? 0);
      at = afterStar;
      token = star + 1;
    } else return false;
  }
  while (segment[token] === STAR) token++;
  return token === segment.length;
}

const widthOf = (code: number): number => (code > 0xffff ? 2 : 1);

function accepts(token: Exclude<Token, typeof STAR>, code: number): boolean {
  if (token === ONE) return true;
  if (typeof token === 'string') return token.codePointAt(0) === code;
  return token.ranges.some(([first, last]) => first <= code && code <= last) !== token.isNegated;
}

function segmentsOf(pattern: string): Segment[] {
  const segments: Token[][] = [[]];
  for (const token of tokensOf(pattern)) {
    if (token === '/') segments.push([]);
    else segments.at(-1)?.push(token);
  }
  // A slash at the end stands for everything in the folder.
  const last: Token[][] = segments.at(-1)?.length === 0 ? [[STAR, STAR]] : [];
  return [...segments.filter((tokens) => tokens.length > 0), ...last]
    .map(segmentOf)
    .filter((segment) => segment !== '.');
}

function segmentOf(tokens: readonly Token[]): Segment {
  if (tokens.length === 2 && tokens.every((token) => token === STAR)) return FOLDERS;
  if (tokens.every((token) => typeof token === 'string')) return tokens.join('');
  return tokens.filter((token, index) => token !== STAR || tokens[index - 1] !== STAR);
}

function* tokensOf(pattern: string): Generator<Token> {
  for (let at = 0; at < pattern.length; ) {
    const [token, width] = tokenAt(pattern, at);
    yield token;
    at += width;
  }
}

/** Returns the token that starts at a position, and how many characters it has. */
function tokenAt(pattern: string, at: number): readonly [Token, number] {
  const character = characterAt(pattern, at);
  if (character === '*') return [STAR, 1];
  if (character === '?') return [ONE, 1];
  if (character === '[') return classAt(pattern, at) ?? ['[', 1];
  if (character !== '\\' || at + 1 === pattern.length) return [character, character.length];
  const escaped = characterAt(pattern, at + 1);
  return [escaped, 1 + escaped.length];
}

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

const CLASS = /\[([!^]?)(\]?(?:\\.|[^\]\\/])*)\]/suy;
const CLASS_RANGE = /(\\.|.)(?:-(\\.|.))?/gsu;

/** Returns the class that starts with the bracket; undefined if it is not closed before the next slash. */
function classAt(pattern: string, at: number): readonly [CharacterClass, number] | undefined {
  CLASS.lastIndex = at;
  const [found, negation, content = ''] = CLASS.exec(pattern) ?? [];
  if (found === undefined || content === '') return undefined;
  const ranges = [...content.matchAll(CLASS_RANGE)].map(
    ([, first = '', last]) => [codeOf(first), codeOf(last ?? first)] as const,
  );
  return [{ isNegated: negation !== '', ranges }, found.length];
}

const codeOf = (character: string): number =>
  (character.length > 1 && character.startsWith('\\') ? character.slice(1) : character).codePointAt(0) ?? 0;
