import type { MissingSecret, Note } from '../model/item.ts';
import type { Change, PlanRules } from './plan.ts';
import { wordsOf } from './plan.ts';

/** One line of a report. */
export interface ReportedChange {
  readonly action: Change['action'];
  readonly kind: string;
  readonly owner: string;
  readonly name: string;
  /** Names of attributes and links that differ. */
  readonly differs: readonly string[];
}

export interface ReportedState {
  readonly workspace: string;
  readonly action: 'same' | 'upload';
  /** Number of state versions to upload, or uploaded. */
  readonly versions: number;
}

/** Result of a migration, for people and programs. It contains no values of settings. */
export interface Report {
  /** Whether the changes were made, or only planned. */
  readonly isApplied: boolean;
  readonly source: string;
  readonly target: string;
  readonly changes: readonly ReportedChange[];
  readonly states: readonly ReportedState[];
  /** Things that a migration never takes, or takes only later. */
  readonly notTaken: readonly Note[];
  /** Items and states that should have been taken: the target refused them, or the states contradict each other. */
  readonly refused: readonly Note[];
  readonly toFillIn: readonly MissingSecret[];
}

export const reported = ({ action, item, attributes, links }: Change): ReportedChange => ({
  ...{ action, kind: item.kind, owner: item.owner, name: item.name },
  differs: action === 'update' ? [...attributes, ...links] : [],
});

/** Returns whether nothing differs from the target. */
export const isDone = ({ changes, states, refused }: Report): boolean =>
  refused.length === 0 &&
  changes.every(({ action }) => action === 'same') &&
  states.every(({ action }) => action === 'same');

const SIGNS = { create: '+', update: '~', same: '=' } as const;

/** Returns the lines of a report for people. */
export function reportLines(report: Report, rulesOf: (kind: string) => PlanRules | undefined): string[] {
  const { changes, states, notTaken, refused, toFillIn } = report;
  const shown = changes.filter(({ action }) => action !== 'same');
  const uploads = states.filter(({ action }) => action === 'upload');
  return [
    `${report.source} -> ${report.target}`,
    '',
    ...shown.map((change) => changeLine(change, rulesOf(change.kind))),
    ...uploads.map(({ workspace, versions }) => `+ state of workspace ${workspace}: ${counted(versions, 'version')}`),
    ...(shown.length + uploads.length > 0 ? [''] : []),
    ...section('Not taken:', notTaken.map(noteLine)),
    ...section('Refused:', refused.map(noteLine)),
    ...section('Sensitive values to fill in, which no server returns:', toFillIn.map(secretLine)),
    summary(report, shown, uploads),
  ];
}

function changeLine(change: ReportedChange, rules: PlanRules | undefined): string {
  const words = wordsOf({ ...change, attributes: {}, links: {} }, rules);
  return `${SIGNS[change.action]} ${words}${change.differs.length > 0 ? ` (${change.differs.join(', ')})` : ''}`;
}

const noteLine = ({ about, why }: Note): string => `! ${about}: ${why}`;

const secretLine = ({ ownerKind, owner, name, category }: MissingSecret): string =>
  `? ${ownerKind === 'varsets' ? 'variable set' : 'workspace'} ${owner}: ${name} (${category})`;

const section = (title: string, lines: readonly string[]): string[] => (lines.length > 0 ? [title, ...lines, ''] : []);

function summary(report: Report, shown: readonly ReportedChange[], uploads: readonly ReportedState[]): string {
  const { isApplied, changes, notTaken, refused, toFillIn } = report;
  const create = shown.filter(({ action }) => action === 'create').length;
  const same = changes.length - shown.length;
  const rest = [
    `${same} the same`,
    ...(notTaken.length > 0 ? [`${notTaken.length} not taken`] : []),
    ...(refused.length > 0 ? [`${refused.length} refused`] : []),
    ...(toFillIn.length > 0 ? [`${toFillIn.length} sensitive to fill in`] : []),
  ].join(', ');
  if (isDone(report)) return `Nothing to do: ${rest}.`;
  const done = isApplied ? ['created', 'changed', 'copied'] : ['to create', 'to change', 'to copy'];
  const states = uploads.reduce((sum, { versions }) => sum + versions, 0);
  const counts = `${create} ${done[0]}, ${shown.length - create} ${done[1]}, ${counted(states, 'state version')} ${done[2]}`;
  return `${isApplied ? 'Done' : 'Plan'}: ${counts}, ${rest}.`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
