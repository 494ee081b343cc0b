/** A string, a comment, or another part of a policy. Heredocs are handled by lines. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|#.*|\/\/.*|\/\*[\s\S]*?\*\/|[{}[\]]|[^"#/{}[\]]+|\//g;
const HEREDOC = /<<-?([\p{L}_][\p{L}\p{N}_.-]*)[^\S\n]*$/u;
const ASSIGNMENT = /^("(?:[^"\\\n]|\\.)*"|[\p{L}_][\p{L}\p{N}_.-]*)\s*=\s*(.*)$/u;

interface Line {
  readonly text: string;
  /** False in a heredoc and in a comment of several lines. */
  readonly isCode: boolean;
}

/**
 * Formats a valid policy: two spaces of indentation for each open bracket, aligned equals signs of neighbouring lines,
 * and at most one blank line. It changes white space only; comments and heredocs stay as they are.
 */
export function formatPolicy(text: string): string {
  const lines: Line[] = [];
  let depth = 0;
  let heredoc: string | undefined;
  let isComment = false;
  for (const raw of text.replaceAll('\r\n', '\n').split('\n')) {
    if (heredoc !== undefined) {
      lines.push({ text: raw, isCode: false });
      if (raw.trim() === heredoc) heredoc = undefined;
      continue;
    }
    if (isComment) {
      lines.push({ text: raw.trimEnd(), isCode: false });
      isComment = !raw.includes('*/');
      continue;
    }
    const line = raw.trim();
    if (line === '' && (lines.at(-1)?.text ?? '') === '') continue;
    const { opened, closedFirst, startsComment } = bracketsOf(line);
    const indent = line === '' ? '' : '  '.repeat(Math.max(0, depth - closedFirst));
    lines.push({ text: indent + line, isCode: true });
    depth = Math.max(0, depth + opened);
    heredoc = HEREDOC.exec(line)?.[1];
    isComment = startsComment;
  }
  while (lines.at(-1)?.text === '') lines.pop();
  return lines.length === 0 ? '' : `${aligned(lines).join('\n')}\n`;
}

/** Counts the brackets of a line outside of strings and comments. */
function bracketsOf(line: string): { opened: number; closedFirst: number; startsComment: boolean } {
  let opened = 0;
  let lowest = 0;
  let startsComment = false;
  for (const [token] of line.matchAll(TOKEN)) {
    if (token === '{' || token === '[') opened += 1;
    if (token === '}' || token === ']') opened -= 1;
    // Only brackets before the first opened one move the line itself.
    if (opened < lowest) lowest = opened;
    if (token === '/' && line.includes('/*') && !line.includes('*/')) startsComment = true;
    if (startsComment) break;
  }
  return { opened, closedFirst: -lowest, startsComment };
}

/** Aligns the equals signs of assignments on neighbouring lines with the same indentation. */
function aligned(lines: readonly Line[]): string[] {
  const result: string[] = [];
  let group: { readonly indent: string; readonly name: string; readonly value: string }[] = [];
  const flush = () => {
    const width = Math.max(0, ...group.map(({ name }) => name.length));
    for (const { indent, name, value } of group) result.push(`${indent}${name.padEnd(width)} = ${value}`);
    group = [];
  };
  for (const { text, isCode } of lines) {
    const indent = /^\s*/.exec(text)?.[0] ?? '';
    const [, name, value] = (isCode && ASSIGNMENT.exec(text.trim())) || [];
    const isAssignment = name !== undefined && value !== undefined;
    if (group.length > 0 && (!isAssignment || group[0]?.indent !== indent)) flush();
    if (isAssignment) group.push({ indent, name, value });
    else result.push(text);
  }
  flush();
  return result;
}
