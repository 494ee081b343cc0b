/** Texts of the version control settings of a workspace. */
// Texts of VersionControl.tsx
export const versionControl = 'Version control';
export const repository = 'Repository';
export const youHaveNoPermission = 'You have no permission to change this';
export const requiresCanUpdate = 'Requires can-update';
export const save = 'Save';
export const saved = 'Saved';
export const noChanges = 'No changes';
export const enterARepository = 'Enter a repository';
export const enterAnExpression = 'Enter an expression';
export const enterAPath = 'Enter a path';
export const runsOf = 'Runs';
export const speculativePlans = 'Speculative plans';
export const plansOfPullRequests = 'Plans pull requests for the branch. These plans are never applied.';
export const queueAllRuns = 'Start runs from the beginning';
export const offTheFirstRun =
  'If off, pushes start runs only after a user has started the first one. If on, connecting a repository starts a run of its newest commit.';
export const submodules = 'Include submodules';
export const submodulesOfThe = 'Fetches submodules on the same host with the same connection.';
export const localExecution =
  'The execution mode of the workspace is local, so pushes start no runs. Change it under General.';
export const anyoneWhoMayPush =
  'A plan runs the code of the commit with the secrets of the workspace. Everyone who may push a branch can read them by a pull request, unless they are marked “Not for speculative plans”.';
// Texts of Triggers.tsx
export const triggers = 'Commits that start runs';
export const pushesThatStart = 'Pushes that start runs';
export const every = 'every push to the branch';
export const workingDirectory = 'pushes that change the working directory';
export const prefixes = 'pushes that change some folders';
export const patterns = 'pushes that change files of some patterns';
export const tags = 'tags that match an expression';
export const directoryIs = (directory: string) => `The working directory is ${directory}. It is set under General.`;
export const noDirectory = 'The workspace has no working directory, so every push starts a run.';
export const foldersOneOn =
  'Paths from the root of the repository, one on each line. The working directory counts too.';
export const folders = 'Folders';
export const patternsLabel = 'Patterns';
export const patternsOneOn =
  'One on each line, from the root of the repository: /modules/**/* or /**/*.tf. The working directory does not count.';
export const regex = 'Expression';
export const regexForExample =
  'Searched for in the name of the tag, for example ^v\\d+\\.\\d+\\.\\d+$. Syntax: RE2. Pushes to branches start no runs.';
// Texts of Preview.tsx
export const preview = 'Preview';
export const whichOfThe = 'Shows which of the last ten commits would have started a run. Nothing is saved or started.';
export const changedSince = 'The settings have changed since this preview.';
export const commit = 'Commit';
export const result = 'Result';
export const reason = 'Reason';
export const noCommits = 'The repository has no commits here yet.';
export const previewOf = 'Preview of the last commits';
export const startRuns = (runs: string, total: number) => `${runs} of ${total} would start a run.`;
// Texts of LinkStatus.tsx
export const connection = 'Connection to the repository';
export const state = 'State';
export const following = 'following';
export const waiting = 'waiting for the provider';
export const notFollowing = 'not following';
export const notFound = 'not found';
export const accessDenied = 'access denied';
export const unreachable = 'unreachable';
export const reasonOf = 'Reason';
export const lastLookUp = 'Last look-up';
export const nextLookUp = 'Next look-up';
export const nextNow = 'now';
export const notYet = 'not yet';
export const ago = 'ago';
export const events = 'Events';
export const webhookMade = 'The provider sends events to this server.';
export const webhookWanted = 'The server is creating a webhook at the provider.';
export const webhookManual =
  'The connection may not create webhooks. Create one by hand for pushes, tags and pull requests, with this URL, which the provider must reach and whose certificate it must trust:';
export const secretOf =
  'Until then the server looks up the repository every minute. Users who may manage VCS settings find the secret here:';
export const pageOfRepository = 'page of the repository';
export const noUrl =
  'The connection may not create webhooks, and this server has no public URL. The server looks up the repository every minute.';
export const polling = 'The server looks up the repository every minute. A push starts its run within that time.';
export const lastDelivery = 'Last event received';
export const lookNow = 'Look now';
export const looking = 'Looking…';
export const lookUpRequested = 'Look-up requested';
export const requiresQueue = 'Requires can-queue-run';
export const url = 'URL';
export const theLink = 'The connection to the repository';
// Texts of Stop.tsx
export const stopFollowing = 'Stop following';
export const stop = 'Stop following…';
export const stopTitle = (workspace: string) => `Stop following the repository of ${workspace}`;
export const pushesStartNo =
  'Pushes and pull requests start no more runs. The workspace keeps its states, runs and configurations, and can follow a repository again.';
export const stopped = 'The workspace follows no repository';
