/** Texts of the page states: loading, empty, error. */
// Texts of QueryResult.tsx
export const theServerDoesNotAnswer = 'The server does not answer';
export const theConsoleTriesAgain = (value: string) => `${value}. The console tries again.`;
// Texts of Skeleton.tsx
export const loading = (what: string) => `${what}: loading`;
// Texts of PageStates.tsx
export const couldNotBeLoaded = (what: string) => `${what} could not be loaded`;
export const response = 'Response';
export const requestId = 'Request ID';
export const requestId2 = 'request id';
export const tryAgain = 'Try again';
export const notFoundOrNoAccess = (what: string) => `${what}: not found, or no access`;
export const permissionDenied = (what: string) => `${what}: permission denied`;
export const hiddenHint =
  'The server returns the same response for resources that do not exist and for resources that you may not see. Ask an owner of the organization for access.';
export const yourTokenHasNo = 'Your token has no permission to read this.';
export const missingPermission = 'Missing permission';
