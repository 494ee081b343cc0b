import { parseSync } from 'oxc-parser';

/** A piece of text that people read: a comment, a literal in the code, or a heading, paragraph, list item or table cell of Markdown. */
export interface Piece {
  readonly kind: 'comment' | 'literal' | 'prose';
  readonly text: string;
  /** Line of the file where it begins, from 1. */
  readonly line: number;
}

/** Returns the pieces of a file by its extension: `.ts` and `.tsx`, `.md`. */
export function piecesOf(path: string, text: string): Piece[] {
  return path.endsWith('.md') ? proseOf(text) : [...commentsOf(path, text), ...literalsOf(path, text)];
}

/** Returns the comments of a source. Adjacent `//` lines form one piece. Tool directives are skipped. */
function commentsOf(path: string, text: string): Piece[] {
  const { comments } = parseSync(path, text);
  const lineAt = linesOf(text);
  const pieces: (Piece & { readonly endLine: number; readonly isLine: boolean })[] = [];
  for (const { type, value, start, end } of comments) {
    const bare = value.replace(/^[^\S\n]*\*+ ?/gm, '');
    const words = bare.trim();
    const line = lineAt(start) + bare.slice(0, leading(bare)).split('\n').length - 1;
    if (words === '' || /^(biome-ignore|@ts-|#|\/ <)/.test(words)) continue;
    const isLine = type === 'Line';
    const last = pieces.at(-1);
    if (isLine && last?.isLine && last.endLine === lineAt(start) - 1) {
      pieces[pieces.length - 1] = { ...last, text: `${last.text}\n${words}`, endLine: lineAt(end) };
    } else {
      pieces.push({ kind: 'comment', text: words, line, endLine: lineAt(end), isLine });
    }
  }
  return pieces.map(({ kind, text: words, line }) => ({ kind, text: words, line }));
}

/** Returns the literals of a source that look like a sentence: at least two words with a space between them. */
function literalsOf(path: string, text: string): Piece[] {
  const { program } = parseSync(path, text);
  const lineAt = linesOf(text);
  const pieces: Piece[] = [];
  const add = (words: string, start: number) => {
    if (/[A-Za-z]{2,}[,:;]? [a-z]/.test(words)) {
      pieces.push({ kind: 'literal', text: words.trim(), line: lineAt(start + leading(words)) });
    }
  };
  visit(program, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.value, node.start);
    if (node.type === 'JSXText') add(node.value as string, node.start);
    if (node.type === 'TemplateLiteral') {
      const parts = (node as unknown as { quasis: { value: { cooked: string } }[] }).quasis;
      add(parts.map(({ value }) => value.cooked ?? '').join('…'), node.start);
    }
  });
  return pieces;
}

/** Returns the headings, paragraphs, list items and table cells of a Markdown page: no code, column names or front matter. */
function proseOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let paragraph: { line: number; words: string[] } | undefined;
  const close = () => {
    if (paragraph !== undefined) pieces.push({ kind: 'prose', text: paragraph.words.join('\n'), line: paragraph.line });
    paragraph = undefined;
  };
  const lines = text.split('\n');
  let fence: string | undefined;
  let isFrontMatter = lines[0] === '---';
  lines.forEach((raw, index) => {
    const line = raw.trim();
    const opening = /^(```+|~~~+)/.exec(line)?.[1];
    if (isFrontMatter) {
      if (index > 0 && line === '---') isFrontMatter = false;
      return;
    }
    if (fence !== undefined) {
      if (line.startsWith(fence)) fence = undefined;
      return;
    }
    if (opening !== undefined) {
      close();
      fence = opening;
      return;
    }
    if (line.startsWith('#')) {
      close();
      pieces.push({ kind: 'prose', text: line.replace(/^#+\s*/, ''), line: index + 1 });
      return;
    }
    if (line === '' || /^(<|:::|\[!|\|[-:| ]+\|$)/.test(line)) {
      close();
      return;
    }
    if (line.startsWith('|')) {
      close();
      const isHeader = /^\s*\|[-:| ]+\|\s*$/.test(lines[index + 1] ?? '');
      const cells = isHeader ? [] : line.split(/(?<!\\)\|/).slice(1, -1);
      for (const cell of cells)
        if (/\w \w/.test(cell)) pieces.push({ kind: 'prose', text: cell.trim(), line: index + 1 });
      return;
    }
    const item = /^(?:[-*+]|\d+\.)\s+(.*)$/.exec(line);
    if (item !== null) close();
    const words = (item?.[1] ?? line).replace(/^>\s?/, '');
    if (paragraph === undefined) paragraph = { line: index + 1, words: [words] };
    else paragraph.words.push(words);
  });
  close();
  return pieces;
}

type Node = { readonly type: string; readonly start: number; readonly value?: unknown };

/** Nodes without text for people: import specifiers and types. */
const NOT_READ = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'TSLiteralType', 'TSImportType']);

function visit(node: unknown, enter: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, enter);
  else if (node !== null && typeof node === 'object' && 'type' in node) {
    if (NOT_READ.has(node.type as string)) return;
    enter(node as Node);
    for (const [key, value] of Object.entries(node))
      if (key !== 'key' || 'computed' in node === false) visit(value, enter);
  }
}

const leading = (text: string): number => text.length - text.trimStart().length;

function linesOf(text: string): (offset: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at);
  return (offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
