import type { ChangedResources, RunResult } from '../hooks/run-results.ts';
import type { WantedStatus } from './commit-statuses.ts';
import { type CommitFacts, isTriggered, type ReportLinks } from './facts.ts';
import { BoundedText, code, details, link, plain } from './markdown.ts';
import { addTable, runHeading, type SummaryRow, summaryRows } from './summary.ts';
import { outcomeOfPlans, tallyOfPlans, unfinished } from './tally.ts';

/**
 * Most characters of the summary of a check run at GitHub.
 * @limit summary of a check run, characters -> rows are left out, with a link to all of them
 */
const MAX_SUMMARY = 65_535;
/**
 * Most characters of a comment, below the limits of most providers, so that people can read it.
 * @limit comment in a pull request, characters -> resources and rows are left out, with a link to all of them
 */
const MAX_COMMENT = 60_000;
/** @limit runs of a comment whose resources are listed, runs -> the comment has the counts of the others only */
const MAX_LISTED_RUNS = 20;
/** @limit resources of one run in a comment, resources -> the others are left out */
export const MAX_LISTED_RESOURCES = 50;

/** A comment to write. */
export interface CommentFacts {
  /** Facts with the newest event of the pull request only. */
  readonly facts: CommitFacts;
  readonly commitId: string;
  readonly isClosed: boolean;
  /** Resources by run. */
  readonly resources: ReadonlyMap<string, ChangedResources>;
  readonly links: ReportLinks;
  /** Text that nobody can guess, by which the comment is found again. */
  readonly marker: string;
  /** Whether the provider's Markdown has HTML. */
  readonly hasHtml: boolean;
  /** Most characters that the provider takes. */
  readonly limit: number;
}

/** Returns the text that a comment of a report begins with. Readers do not see it. */
export function markerOf(reportId: string): string {
  return `[lockkeeper]: # (${reportId})\n\n`;
}

/** Returns the summary of a check run, in Markdown. */
export function checkSummary({ description, workspaces }: WantedStatus, eventId: string, links: ReportLinks): string {
  const text = new BoundedText(MAX_SUMMARY);
  text.add(`${plain(description)}\n\n`);
  if (workspaces.length > 0) addTable(text, summaryRows(workspaces), links, eventId);
  return text.text;
}

/** Returns the runs whose resources a comment lists. Changes from forks list none, since a stranger chose their names. */
export function listedRuns({ events, workspaces }: CommitFacts): RunResult[] {
  if (events[0]?.pull?.isFork !== false) return [];
  return summaryRows(workspaces)
    .flatMap(({ run }) => (run?.plan === 'changes' ? [run] : []))
    .slice(0, MAX_LISTED_RUNS);
}

/** Returns the text of a comment in Markdown. It has counts and addresses of resources, but no values. */
export function commentText(comment: CommentFacts): string {
  const { facts, isClosed, hasHtml, limit, marker } = comment;
  const whole = new BoundedText(Math.min(limit, MAX_COMMENT));
  whole.add(marker);
  const title = `Lockkeeper: ${facts.organizationName}`;
  const wrapping = details(title, '', hasHtml).length;
  const body = new BoundedText(Math.min(limit, MAX_COMMENT) - whole.text.length - wrapping);
  addBody(body, comment);
  whole.add(isClosed ? details(`${title} (closed)`, body.text, hasHtml) : `### ${plain(title)}\n\n${body.text}`);
  return whole.text;
}

function addBody(text: BoundedText, { facts, commitId, links, resources, hasHtml }: CommentFacts): void {
  const [event] = facts.events;
  const eventId = event?.id ?? '';
  const rows = summaryRows(facts.workspaces.filter(isTriggered));
  text.add(`${plain(headline(facts, rows))}\n\n`);
  text.add(
    `Commit ${code(commitId.slice(0, 8))} of ${code(event?.ref ?? '')} – ${link('all runs', links.event(eventId))}\n\n`,
  );
  if (rows.length > 0) addTable(text, rows, links, eventId);
  for (const row of rows) {
    const changed = row.run && resources.get(row.run.runId);
    if (changed === undefined || changed.resources.length === 0) continue;
    // A list that does not fit is left out as a whole, and shorter ones may still fit.
    text.add(`\n${details(runHeading(row), listOf(changed), hasHtml)}\n`);
  }
}

function headline({ workspaces, events }: CommitFacts, rows: readonly SummaryRow[]): string {
  if (rows.length === 0) {
    return events[0]?.state === 'waiting'
      ? 'Checking which workspaces the change concerns'
      : 'No workspace is concerned';
  }
  const runs = workspaces.flatMap((workspace) => workspace.runs);
  return outcomeOfPlans(tallyOfPlans(runs, rows.length - runs.length), runs).words;
}

const SIGNS = { add: '+', change: '~', replace: '-/+', destroy: '-' } as const;

function listOf({ resources, isCut }: ChangedResources): string {
  const lines = resources.map(({ action, address }) => `- ${code(SIGNS[action])} ${code(address)}`);
  return [...lines, ...(isCut ? ['- …'] : [])].join('\n');
}

/** Returns whether all plans of a pull request are over, so that its comment may be created. */
export function isPlanned({ events, workspaces }: CommitFacts): boolean {
  const runs = workspaces.flatMap((workspace) => workspace.runs);
  return events.every(({ state }) => state !== 'waiting') && unfinished(tallyOfPlans(runs, 0)) === 0;
}
