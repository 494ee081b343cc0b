/** Texts of the audit page. */
// Texts of AuditFilters.tsx
export const caller = 'caller';
export const path = 'path';
export const status = 'status';
export const api = 'API';
export const request = 'request';
export const hash = 'hash';
export const readsOfTheConsole = 'reads of the console';
export const pagesOfTheConsole = 'Pages of the console';
export const showTheirReads = 'show their reads';
export const showReads = 'Show reads of the console';
export const time = 'time';
export const findByCallerPath = 'Find by caller, path, request ID or hash';
export const callerPathRequestId = 'Caller, /path, request ID or hash';
export const filter = 'Filter';
export const status2 = 'Status';
export const time2 = 'Time';
export const refusedLogins = 'Refused logins';
export const findATextBy = 'Find a text by its hash…';
// Texts of AuditPage.tsx
export const server = 'Server';
export const auditLog = 'Audit log';
export const node = (node: string) => `node ${node}`;
export const requestsToBothApis =
  'Requests to both APIs, with their callers and results. Secrets appear only as hashes.';
export const loading = 'Loading…';
export const reload = 'Reload';
export const theAuditLog = 'The audit log';
export const auditLogNewestFirst = 'Audit log, newest first';
export const searchedBackTo = (lookedBackTo: string) => `Searched back to ${lookedBackTo}.`;
export const loadOlderEntries = 'Load older entries';
export const noOlderEntries = 'No older entries.';
export const olderEntriesAreIn = (names: string, more: string) =>
  `Older entries are in compressed files, which this page does not read: ${names}${more}`;
export const noMatchingEntries = 'No matching entries';
export const noEntriesYet = 'No entries yet';
export const showAllEntries = 'Show all entries';
export const noEntryOfThis = 'No entry of this node matches all filters.';
export const everyRequestToBoth = 'Every request to both APIs appears here.';
// Texts of HashDialog.tsx
export const findATextBy2 = 'Find a text by its hash';
export const find = 'Find';
export const enterTheText = 'Enter the text';
export const text = 'Text';
export const aTokenAName =
  'A token, a name or an ID, exactly as it was sent. The same text has the same hash in every entry and on every node.';
// Texts of RecordSheet.tsx
export const closeTheEntry = 'close the entry';
export const auditEntry = 'Audit entry';
export const close = 'Close';
export const theAuditEntry = 'The audit entry';
export const notFound = 'Not found';
export const noEntryOfThis2 = 'No entry of this node belongs to this request.';
export const request2 = 'Request';
export const caller2 = 'Caller';
export const clientAddress = 'Client address';
export const requestId = 'Request ID';
export const requestId2 = 'request id';
export const query = 'Query';
export const requestData = 'Request data';
export const responseData = 'Response data';
// Texts of Sinks.tsx
export const auditDevices = 'Audit devices';
export const notWriting = (description: string) => `not writing: ${description}`;
export const writing = 'writing';
// Texts of Verdicts.tsx
export const reason = 'Reason';
export const role = (role: string) => `Role ${role}`;
export const expected = 'expected';
export const actual = 'actual';
// Texts of columns.tsx
export const failed = (status: number) => `${status} failed`;
export const refused = (status: number) => `${status} refused`;
export const timeUtc = 'Time, UTC';
export const unauthenticated = 'unauthenticated';
// Texts of search.ts
export const lastHour = 'last hour';
export const lastDay = 'last day';
export const last7Days = 'last 7 days';
export const succeeded = 'succeeded';
export const refused2 = 'refused';
export const failed2 = 'failed';
