/** Texts of the log component. */
export const texts = {
  // Texts of FindBox.tsx
  findInTheLog: 'find in the log',
  findInTheLog2: 'Find in the log',
  findOr391For: 'Find, or :391 for a line',
  noMatches: 'no matches',
  ofText: (count: string, found: string, value: string) => `${count} of ${found}${value}`,
  previousMatch: 'Previous match',
  nextMatch: 'Next match',
  // Texts of Line.tsx
  line: (number: number) => `Line ${number}`,
  // Texts of Log.tsx
  lineOfMatches: (line: number, match: number, total: number) => `Line ${line}, match ${match} of ${total}`,
  followTheLog: 'follow the log',
  nextMatch2: 'next match',
  previousMatch2: 'previous match',
  log: 'Log',
  notLoaded: 'not loaded',
  notStarted: 'not started',
  following: 'following',
  running: 'running',
  line2: 'line',
  downloadTheLog: 'Download the log',
  theLogWasNot: 'The log was not found, or you have no access.',
  theConsoleTriesAgain: 'The console tries again.',
  theLogIsEmpty: 'The log is empty.',
  noOutputYet: 'No output yet.',
  theLogHasMore: 'The log has more lines than this page shows. Download the log to see all of it.',
  lines: 'lines',
  newText: (fresh: string, value: string) => `${fresh} new ${value}`,
  follow: 'Follow',
  // Texts of log-text.ts
  characters: (text: string, length: number) => `${text} … (${length} characters)`,
  line3: (filename: string, line: number | string) => ` (${filename}, line ${line})`,
};
