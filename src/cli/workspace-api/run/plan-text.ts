import {
  type Attribute,
  attributesOf,
  type Change,
  countsOf,
  type Operation,
  type Plan,
} from '../../../lib/plan/plan.ts';
import { printable } from '../../output/printable.ts';

interface Sign {
  readonly sign: string;
  /** Colour of a terminal (SGR). */
  readonly colour: number;
  /** Label of the count: `3 to add`. */
  readonly todo: string;
}

const [GREEN, YELLOW, RED, PLAIN] = [32, 33, 31, 39];

const SIGNS: Readonly<Record<Operation, Sign>> = {
  add: { sign: '+', colour: GREEN, todo: 'to add' },
  change: { sign: '~', colour: YELLOW, todo: 'to change' },
  replace: { sign: '-/+', colour: RED, todo: 'to replace' },
  destroy: { sign: '-', colour: RED, todo: 'to destroy' },
  import: { sign: '=', colour: GREEN, todo: 'to import' },
  move: { sign: '>', colour: PLAIN, todo: 'to move' },
  forget: { sign: 'x', colour: YELLOW, todo: 'to forget' },
  read: { sign: '?', colour: PLAIN, todo: 'to read' },
  none: { sign: ' ', colour: PLAIN, todo: 'unchanged' },
};

/** Returns a plan as text: each change with its attributes, old and new, then outputs, drift and a summary. */
export function planText({ resources, outputs, drift, unchanged }: Plan, isColoured: boolean): string {
  const lines = [
    ...section('Changes made outside of this configuration:', drift, isColoured),
    ...resources.flatMap((change) => changeLines(change, isColoured)),
    ...section('Outputs:', outputs, isColoured),
    summary(resources, unchanged),
  ];
  return `${lines.join('\n')}\n`;
}

function section(title: string, changes: readonly Change[], isColoured: boolean): string[] {
  return changes.length === 0 ? [] : [title, ...changes.flatMap((change) => changeLines(change, isColoured))];
}

function summary(resources: readonly Change[], unchanged: number): string {
  const rest = unchanged === 0 ? [] : [`${unchanged} unchanged`];
  if (resources.length === 0) return ['No changes to resources', ...rest].join(', ');
  return [
    'Plan:',
    [...countsOf(resources).map(([operation, count]) => `${count} ${SIGNS[operation].todo}`), ...rest].join(', '),
  ].join(' ');
}

function changeLines({ address, operation, note, of }: Change, isColoured: boolean): string[] {
  const { sign, colour } = SIGNS[operation];
  const mark = isColoured ? `\u001b[${colour}m${sign}\u001b[39m` : sign;
  const { changed, unchanged } = attributesOf(of);
  const width = Math.max(0, ...changed.map(({ name }) => name.length));
  return [
    `${mark} ${printable(address)}${note === '' ? '' : ` (${printable(note)})`}`,
    ...changed.map((attribute) => attributeLine(attribute, width)),
    ...(unchanged === 0 ? [] : [`      ${unchanged} unchanged ${unchanged === 1 ? 'attribute' : 'attributes'}`]),
  ];
}

function attributeLine({ name, before, after }: Attribute, width: number): string {
  const value = before === undefined ? after : `${before} -> ${after ?? 'null'}`;
  const text = printable(value ?? 'null').replaceAll('\n', `\n      ${' '.repeat(width + 2)}`);
  return `      ${printable(name).padEnd(width)}  ${text}`.trimEnd();
}
