import type { RunResult } from '../hooks/run-results.ts';
import type { ReportedWorkspace, ReportLinks } from './facts.ts';
import { type BoundedText, link } from './markdown.ts';
import { inApprovals, planWords } from './tally.ts';

const PLANS: Readonly<Record<RunResult['plan'], string>> = {
  waiting: 'Waiting',
  running: 'Planning',
  changes: 'Planned',
  unchanged: 'No changes',
  failed: 'Plan failed',
  canceled: 'Canceled',
};
const APPLIES: Readonly<Record<RunResult['apply'], string | undefined>> = {
  none: undefined,
  confirmation: 'Waiting for confirmation',
  running: 'Applying',
  applied: 'Applied',
  failed: 'Apply failed',
  canceled: 'Apply canceled',
  discarded: 'Discarded',
};

/** A run with its workspace; without a run where it could not be created. */
export interface SummaryRow {
  readonly workspaceName: string;
  readonly run: RunResult | undefined;
}

/** Returns the rows of a table: what needs attention first, then by name. */
export function summaryRows(workspaces: readonly ReportedWorkspace[]): SummaryRow[] {
  const rows = workspaces.flatMap(({ name, runs }): SummaryRow[] =>
    runs.length === 0 ? [{ workspaceName: name, run: undefined }] : runs.map((run) => ({ workspaceName: name, run })),
  );
  const byName = (a: SummaryRow, b: SummaryRow) => (a.workspaceName < b.workspaceName ? -1 : 1);
  return rows.toSorted((a, b) => rankOf(a) - rankOf(b) || byName(a, b));
}

function rankOf({ run }: SummaryRow): number {
  if (run === undefined || run.plan === 'failed' || run.apply === 'failed') return 0;
  if (run.plan === 'canceled' || run.apply === 'canceled' || run.apply === 'discarded') return 1;
  if (run.plan === 'changes') return 2;
  return run.plan === 'unchanged' ? 4 : 3;
}

/** Returns the words for a run. */
function runWords(run: RunResult | undefined): string {
  if (run?.approvals) return `Waiting for ${inApprovals(run.approvals)}`;
  return run === undefined ? 'The run could not start' : (APPLIES[run.apply] ?? PLANS[run.plan]);
}

const HEADER = '| Workspace | Result | Add | Change | Destroy |\n| --- | --- | ---: | ---: | ---: |\n';
/** Characters for the line that says how many rows are left out. */
const REST = 200;

/** Adds a table of runs. Rows that do not fit are counted, with a link to all of them. */
export function addTable(to: BoundedText, rows: readonly SummaryRow[], links: ReportLinks, eventId: string): void {
  const rest = REST + links.event(eventId).length;
  if (!to.add(HEADER, rest)) return;
  const added = rows.findIndex((row) => !to.add(lineOf(row, links), rest));
  if (added >= 0) to.add(`\n${link(`${rows.length - added} more runs`, links.event(eventId))}\n`);
  to.add('\n');
}

function lineOf({ workspaceName, run }: SummaryRow, links: ReportLinks): string {
  const name = run === undefined ? workspaceName : link(workspaceName, links.run(workspaceName, run.runId));
  const isPlanned = run !== undefined && (run.plan === 'changes' || run.plan === 'unchanged');
  const counts = isPlanned ? [run.add, run.change, run.destroy] : ['', '', ''];
  return `| ${[name, runWords(run), ...counts].join(' | ')} |\n`;
}

/** Returns the heading of the resources of a run. */
export function runHeading({ workspaceName, run }: SummaryRow): string {
  return run === undefined ? workspaceName : `${workspaceName} – ${planWords(run)}`;
}
