import { styleText } from 'node:util';
import type { Diagnosis } from '../../diagnosis/index.ts';
import type { Status } from '../../lib/finding/finding.ts';
import { printable } from '../output/printable.ts';

const WORDS: Readonly<Record<Status, string>> = { success: 'ok', warning: 'WARNING', failure: 'FAILURE', skipped: '-' };
const COLOURS = { success: 'green', warning: 'yellow', failure: 'red', skipped: 'gray' } as const;
const WORD_WIDTH = 9;
const INDENT = '  ';

interface Row {
  readonly name: string;
  readonly diagnosis: Diagnosis;
}

/**
 * Formats a subject and its findings: one line each, with the next step below.
 * @param isColoured whether the output is a terminal
 */
export function subjectText(subject: Diagnosis, isColoured: boolean): string {
  const rows = (subject.parts ?? []).flatMap((part) => rowsOf(part, 1));
  const width = Math.max(24, ...rows.map(({ name }) => name.length)) + 2;
  const heading = isColoured ? styleText('bold', subject.name, { validateStream: false }) : subject.name;
  return `${[heading, ...rows.map((row) => rowText(row, width, isColoured))].join('\n')}\n`;
}

function rowsOf(diagnosis: Diagnosis, depth: number): Row[] {
  const row = { name: INDENT.repeat(depth) + printable(diagnosis.name), diagnosis };
  return [row, ...(diagnosis.parts ?? []).flatMap((part) => rowsOf(part, depth + 1))];
}

function rowText({ name, diagnosis }: Row, width: number, isColoured: boolean): string {
  const { status, found = '', detail, advice } = diagnosis;
  const word = WORDS[status].padEnd(WORD_WIDTH);
  const shown = isColoured ? styleText(COLOURS[status], word, { validateStream: false }) : word;
  const below = `\n${' '.repeat(width + WORD_WIDTH)}`;
  const words = printable(found + (detail === undefined ? '' : `${found && '   '}(${detail})`)).replaceAll('\n', below);
  const what = advice === undefined ? '' : `${below}${printable(advice)}`;
  return `${name.padEnd(width)}${shown}${words}${what}`.trimEnd();
}
