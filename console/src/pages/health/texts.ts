/** Texts of the health page. */
// Texts of Documents.tsx
export const accessApi = 'access API';
export const workspaceApi = 'workspace API';
export const apiDocuments = 'API documents';
export const openapiDocumentOfThe = (label: string) => `OpenAPI document of the ${label}`;
export const requestLineHint =
  'The bottom line of each page shows its request. Copy it as a curl or lockkeeper command.';
// Texts of HealthPage.tsx
export const server = 'Server';
export const health = 'Health';
export const node = (node: string) => `node ${node}`;
export const currentValues = 'Current values';
export const version = 'Version';
export const storage = 'Storage';
export const database = 'Database';
export const databaseLatency = 'Database latency';
export const ms = (ms: number) => `${ms} ms`;
export const connections = 'Connections';
export const cluster = 'Cluster';
export const history = 'History';
export const inUtc = 'in UTC';
export const period = 'Period';
export const metrics = 'Metrics';
export const noMetricsYet = 'No metrics yet';
export const theFirstValuesAppear = 'The first values appear one minute after the start.';
// Texts of Pictures.tsx
export const ms2 = (value: number) => `${value} ms`;
export const logins = 'Logins';
export const loginsIncludingRefusedOnes = 'logins, including refused ones';
export const refused = 'refused';
export const atTheSameTime = 'at the same time';
export const noMeasurement = 'no measurement';
export const requestsTo = (api: 'access' | 'workspaces') =>
  api === 'access' ? 'Requests to the access API' : 'Requests to the workspace API';
export const requests = 'requests';
export const failed = 'failed';
export const n95thPercentileOfThe = '95th percentile of the response time';
export const noRequests = 'no requests';
export const failedTlsHandshakes = 'Failed TLS handshakes';
export const ocspRequests = 'OCSP requests';
export const withoutAVerifiedResponse = 'without a verified response';
export const crlFetches = 'CRL fetches';
export const fetches = 'fetches';
export const beforeTheServerStart = 'before the server start';
// Texts of Ready.tsx
export const theServerIsAbout = 'The server is about to stop and accepts no more requests.';
export const noAuditDeviceAccepts = 'No audit sink accepts entries, so the server refuses nearly every request.';
export const theStorageForStates = 'The storage for states is not writable.';
export const aWorkerProcessOf = 'A worker process of this server does not respond.';
export const ready = 'Ready.';
export const theDatabaseTheState = 'The database, the state storage and the audit log are writable.';
export const notReady = 'Not ready.';
export const doNotSendRequests = 'Do not send requests to this node.';
export const theDatabaseIsNotWritable = 'The database is not writable.';
// Texts of figures.ts
export const n6Hours = '6 hours';
export const n5Min = '5 min';
export const n1Hour = '1 hour';
export const n1Min = '1 min';
