/** Texts of the components of version control. */
// Texts of RepositoryFields.tsx
export const connection = 'Connection';
export const noRepository = 'no repository: configurations are uploaded';
export const theOrganizationHasNo =
  'The organization has no connection to a VCS provider. A user who may manage VCS settings adds one:';
export const settingsConnections = 'Connect a provider';
export const youMayNotList =
  'You may not list the connections of the organization. This requires the permission to create workspaces or to manage VCS settings.';
export const currentConnection = 'the current connection';
export const appOf = (account: string) => `GitHub App: ${account}`;
export const isUnverified =
  'The server has not checked this connection yet. It reads no repositories before a check succeeds.';
export const isRefused = (reason: string) => `The provider refuses this connection: ${reason}`;
export const isUnreachable = (reason: string) => `The provider cannot be reached: ${reason}`;
export const unknownReason = 'no reason given';
export const repository = 'Repository';
export const typePartOf = 'Type a part of its name to search. The form is that of the provider: owner/name.';
export const searching = 'Searching…';
export const found = (repositories: string) => `${repositories} found. Select one, or type the whole name.`;
export const firstFound = (repositories: string) => `The first ${repositories}. Type more of the name to see others.`;
export const noneFound =
  'The connection can read no repository of this name, or its owners do not allow it. Check the name and the rights of the connection.';
export const listFailed = (reason: string) =>
  `The repositories cannot be listed: ${reason}. You can type the whole name.`;
export const branch = 'Branch';
export const defaultBranchIs = (name: string) => `Empty: the default branch, now ${name}.`;
export const defaultBranchOf = 'Empty: the default branch of the repository.';
export const branchesFailed = (reason: string) => `The branches cannot be listed: ${reason}`;
export const noSuchBranch = (name: string) => `The repository has no branch ${name} now. Runs start when it is pushed.`;
// Texts of Verdict.tsx
export const run = 'starts a run';
export const speculative = 'plan only';
export const skipped = 'no run';
export const allQuestions = 'All questions';
export const yes = 'yes';
export const no = 'no';
export const withoutSecrets = 'The plan gets no secrets, because the change is from a fork.';
// Texts of Commit.tsx
export const pullRequest = (number: number) => `pull request #${number}`;
export const tag = (name: string) => `tag ${name}`;
export const onBranch = (name: string) => `branch ${name}`;
// Texts of Approve.tsx
export const approve = 'Approve…';
export const approveFor = (workspace: string) => `Approve this commit for ${workspace}…`;
export const approveTitle = (commit: string, workspace: string) => `Plan commit ${commit} of a fork in ${workspace}`;
export const approveAndPlan = 'Approve and plan';
export const approved = 'Commit approved';
export const aPlanRuns =
  'A plan runs the code of its author on your agent. Read the commit first: look for external data sources, new providers and new modules.';
export const itGetsNo =
  'The plan gets no sensitive variables, no identity and no other states. Later commits of the pull request need another approval.';
// Texts of EventName.tsx
export const closed = (name: string) => `${name} closed`;
export const deleted = (name: string) => `${name} deleted`;
export const from = (name: string, ref: string) => `${name} from ${ref}`;
export const by = (name: string) => `by ${name}`;
export const changes = 'changes';
// Texts of columns.tsx
export const result = 'Result';
export const reason = 'Reason';
export const openRun = 'Open run';
export const ofWorkspace = (workspace: string) => `of ${workspace}`;
