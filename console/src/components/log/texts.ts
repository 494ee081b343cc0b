/** Texts of the log component. */
// Texts of FindBox.tsx
export const findInTheLog = 'find in the log';
export const findInTheLog2 = 'Find in the log';
export const findOr391For = 'Find, or :391 for a line';
export const noMatches = 'no matches';
export const ofText = (count: string, found: string, value: string) => `${count} of ${found}${value}`;
export const previousMatch = 'Previous match';
export const nextMatch = 'Next match';
// Texts of Line.tsx
export const line = (number: number) => `Line ${number}`;
// Texts of Log.tsx
export const lineOfMatches = (line: number, match: number, total: number) => `Line ${line}, match ${match} of ${total}`;
export const followTheLog = 'follow the log';
export const nextMatch2 = 'next match';
export const previousMatch2 = 'previous match';
export const log = 'Log';
export const notLoaded = 'not loaded';
export const notStarted = 'not started';
export const following = 'following';
export const running = 'running';
export const line2 = 'line';
export const downloadTheLog = 'Download the log';
export const theLogWasNot = 'The log was not found, or you have no access.';
export const theConsoleTriesAgain = 'The console tries again.';
export const theLogIsEmpty = 'The log is empty.';
export const noOutputYet = 'No output yet.';
export const theLogHasMore = 'The log has more lines than this page shows. Download the log to see all of it.';
export const lines = 'lines';
export const newText = (fresh: string, value: string) => `${fresh} new ${value}`;
export const follow = 'Follow';
// Texts of log-text.ts
export const characters = (text: string, length: number) => `${text} … (${length} characters)`;
export const line3 = (filename: string, line: number | string) => ` (${filename}, line ${line})`;
