/** Texts of the page states: loading, empty, error. */
export const texts = {
  // Texts of QueryResult.tsx
  theServerDoesNotAnswer: 'The server does not answer',
  theConsoleTriesAgain: (value: string) => `${value}. The console tries again.`,
  // Texts of Skeleton.tsx
  loading: (what: string) => `${what}: loading`,
  // Texts of PageStates.tsx
  couldNotBeLoaded: (what: string) => `${what} could not be loaded`,
  response: 'Response',
  requestId: 'Request ID',
  requestId2: 'request id',
  tryAgain: 'Try again',
  notFoundOrNoAccess: (what: string) => `${what}: not found, or no access`,
  permissionDenied: (what: string) => `${what}: permission denied`,
  hiddenHint:
    'The server returns the same response for resources that do not exist and for resources that you may not see. Ask an owner of the organization for access.',
  yourTokenHasNo: 'Your token has no permission to read this.',
  missingPermission: 'Missing permission',
};
