/** More flaky tests than this in one run fail it. */
export const MOST_FLAKY = 3;
/** A test that is flaky in so many runs fails the last of them. */
export const MOST_RUNS = 3;

/** Row of the table in `test/flaky.md`. */
export interface Row {
  /** Suite, file and name, as `labelOf` makes it. */
  readonly label: string;
  /** Day of each run in which it was flaky (YYYY-MM-DD). */
  readonly seen: readonly string[];
  readonly suspicion: string;
  readonly status: 'open' | 'fixed';
}

const CELL = /(?<!\\)\|/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** @throws Error for a row that it does not understand */
export function readRows(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const [, label = '', days = '', suspicion = '', status = ''] = line.split(CELL).map((cell) => cell.trim());
    const seen = days.split(',').map((day) => day.trim());
    if (!label || !seen.every((day) => DAY.test(day)) || !suspicion || (status !== 'open' && status !== 'fixed')) {
      throw new Error(`This row has no test, days (YYYY-MM-DD), suspicion, or status (open, fixed): ${line}`);
    }
    return { label: label.replaceAll('\\|', '|'), seen, suspicion, status };
  });
}

export const rowText = ({ label, seen, suspicion, status }: Row): string =>
  `| ${[label.replaceAll('|', '\\|'), seen.join(', '), suspicion, status].join(' | ')} |`;

/** Returns the open row of a flaky test, with this run in it. Rows that are fixed do not count. */
export function rowWithToday(label: string, rows: readonly Row[], today: string): Row {
  const row = rows.find((known) => known.label === label && known.status === 'open');
  return { label, seen: [...(row?.seen ?? []), today], suspicion: row?.suspicion ?? 'TODO: why?', status: 'open' };
}

/** Returns the flaky tests that fail the run: those in their third run, or all of them if they are too many. */
export function failing(rows: readonly Row[]): readonly Row[] {
  return rows.length > MOST_FLAKY ? rows : rows.filter(({ seen }) => seen.length >= MOST_RUNS);
}
