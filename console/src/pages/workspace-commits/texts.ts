/** Texts of the commits page of a workspace. */
// Texts of CommitsPage.tsx
export const commits = 'Commits';
export const events = 'Pushes, tags and pull requests';
export const theEvents = 'The events of the repository';
export const eventsOf = (workspace: string) => `Events of the repository of ${workspace}, newest first`;
export const newestFirst = 'newest first, of the last 30 days';
export const noEventsYet =
  'No events yet. The server shows each push, tag and pull request of the repository here, and why it started a run or not.';
export const followsNone = 'No repository yet';
export const aWorkspaceThat =
  'If a workspace follows a repository, pushes start its runs, and this page says why a commit started a run or not.';
export const connectRepository = 'Connect a repository';
export const event = 'Event';
export const reason = 'Reason';
export const received = 'Received';
export const ago = 'ago';
export const allWorkspaces = (count: string) => `all ${count}`;
// Texts of Explain.tsx
export const explain = 'Explain';
export const explainACommit = 'Why did this commit start a run, or not?';
export const alsoFor = 'The answer is that of the rules, also for commits that the server has not seen.';
export const kind = 'About';
export const theNewest = 'the newest commit of the branch that is followed';
export const aCommit = 'a commit';
export const aBranch = 'a branch';
export const aTag = 'a tag';
export const aPull = 'a pull request';
export const commitId = 'Commit id';
export const all40 = 'All 40 characters. The branch that the workspace follows must contain it.';
export const branchName = 'Name of the branch';
export const tagName = 'Name of the tag';
export const number = 'Number';
export const enterIt = 'Enter it';
export const source = {
  decided: 'This is what the server decided.',
  waiting: 'The server has seen this commit and decides about it soon. It would decide:',
  computed: 'The server has not seen an event of this commit. It would decide:',
};
export const decided = 'Decided';
export const about = 'Commit';
