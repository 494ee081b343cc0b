/** Texts of the page of one event of a repository. */
export const theEvent = 'The event';
export const workspaces = 'Workspaces';
export const pushTo = (place: string, repository: string) => `${place} of ${repository}`;
export const received = 'Received';
export const waiting = 'The server is working on this event.';
export const failed = (problem: string) => `The server could not decide about this event: ${problem}`;
export const runsOf = (runs: string, total: string) => `${runs} of ${total} workspaces started a run.`;
export const results = 'Results by workspace';
export const runsFirst = 'runs first';
export const resultsOf = 'Results of the event by workspace';
export const workspace = 'Workspace';
export const progress = 'Run';
export const noWorkspaces = 'No workspace that you can see has a result of this event.';
export const details = 'Details';
export const commit = 'Commit';
export const before = 'Commit before';
export const repository = 'Repository';
export const sender = 'Sender';
export const eventId = 'Event ID';
export const theResults = 'The results';
export const plan = {
  waiting: 'plan queued',
  running: 'planning',
  changes: 'planned',
  unchanged: 'no changes',
  failed: 'plan failed',
  canceled: 'plan canceled',
};
export const apply = {
  none: '',
  confirmation: 'waiting for confirmation',
  running: 'applying',
  applied: 'applied',
  failed: 'apply failed',
  canceled: 'apply canceled',
  discarded: 'discarded',
};
export const counts = (add: number, change: number, destroy: number) => `+${add} ~${change} −${destroy}`;
export const countsInWords = (add: number, change: number, destroy: number) =>
  `${add} to add, ${change} to change, ${destroy} to destroy`;
export const compare = 'Changes';
export const openChanges = 'Open at the provider';
