/** Texts of the runs page. */
export const statusGroups = {
  waits: 'waiting for confirmation',
  running: 'running',
  queued: 'queued',
  errored: 'errored',
  applied: 'applied',
};
// Texts of RunFilters.tsx
export const searchRuns = 'Search runs';
export const messageUserOrId = 'Message, user or ID';
export const filter = 'Filter';
export const operation = 'Operation';
export const source = 'Source';
export const status = 'Status';
// Texts of RunsList.tsx
export const runsOf = (workspace: string) => `Runs of ${workspace}`;
export const durationOfTheLastRuns = (length: number) => `Duration of the last ${length} runs`;
export const seconds = 'seconds';
// Texts of RunsPage.tsx
export const runs = 'Runs';
export const runningQueued = (running: string, pending: string) => `${running} running, ${pending} queued`;
export const runsOf2 = (organization: string) => `Runs of ${organization}`;
export const noMatchingRuns = 'No matching runs';
export const showAllRuns = 'Show all runs';
export const noRunThatYou = 'No run that you can see matches all filters.';
export const noRunsYet = 'No runs yet';
export const aRunPlansThe =
  'A run plans the changes of a configuration and applies them after confirmation. Start one, for example:';
// Texts of StartRun.tsx
export const plansTheChangesAnd = 'Plans the changes and waits for confirmation.';
export const plansTheChangesWithout = 'Plans the changes without applying them.';
export const readsTheRealInfrastructure = 'Reads the real infrastructure and updates the state.';
export const plansToDestroyAll = 'Plans to destroy all resources in the state and waits for confirmation.';
export const enterABranch = 'Enter a branch, tag or commit';
export const typeTheNameOf = 'Type the name of the workspace to confirm';
export const startARunOf = (name: string) => `Start a run of ${name}`;
export const startRun = 'Start run';
export const type = 'Type';
export const planAndApply = 'Plan and apply';
export const planOnly = 'Plan only';
export const refreshOnly = 'Refresh only';
export const destroy = 'Destroy';
export const nameOfTheWorkspace = 'Name of the workspace';
export const typeToConfirm = (name: string) => `Type ${name} to confirm.`;
export const message = 'Message';
export const shownInTheList = 'Shown in the list of runs.';
export const targetsReplacementsAndVariables = 'Targets, replacements and variables';
export const targets = 'Targets';
export const resourceAddressesOneOn =
  'Resource addresses, one on each line. Only these resources and their dependencies are planned.';
export const replace = 'Replace';
export const addressesOfResourcesTo = 'Addresses of resources to recreate, one on each line.';
export const variables = 'Variables';
export const overrideVariablesOfThe =
  'Override variables of the workspace. One on each line, as HCL: size = 3, name = "a"';
export const allowAnEmptyApply = 'Allow an empty apply';
export const appliesEvenIfNothing = 'Applies even if nothing changes, for example after an upgrade of the engine.';
// Texts of StartFrom.tsx
export const configuration = 'Configuration';
export const newestCommit = (branch: string) =>
  branch ? `newest commit of ${branch}` : 'newest commit of the default branch';
export const anotherBranchOr = 'another branch or tag';
export const latestConfiguration = 'latest configuration that the server has';
export const branchTagOr = 'Branch, tag or commit';
export const onlyTheNewest = 'A commit must be the newest of a branch or tag of the repository.';
export const thereIsNone = 'The workspace has no configuration yet.';
export const itIsCommit = (id: string, message: string) => `It is commit ${id}: ${message}`;
export const theServerFetches = 'The server fetches the commit first, and then starts the run.';
export const theNewestCommit = (reason: string) => `The newest commit cannot be looked up: ${reason}`;
export const lookingUp = 'Looking up the newest commit…';
export const noCommit = 'The repository has no commit yet.';
export const newestIs = (id: string, message: string) => `It is ${id}: ${message}.`;
export const aheadBy = (commits: number) =>
  commits === 0
    ? 'The latest configuration is of the same commit.'
    : `It is ${commits === 1 ? '1 commit' : `${commits} commits`} ahead of the latest configuration.`;
// Texts of start-from-commit.ts
export const theCommitCould = 'The commit could not be fetched';
// Texts of WorkspaceRuns.tsx
export const matchingRun = 'matching run';
export const run = 'run';
export const matchingRuns = 'matching runs';
export const runs2 = 'runs';
export const executionModeLocalThe = 'Execution mode local: the command line executes the runs';
export const uploadAConfigurationFirst = 'Upload a configuration first';
export const startRun2 = 'start run';
export const startRun3 = 'Start run…';
export const noRunOfThis = 'No run of this workspace matches all filters.';
// Texts of columns.tsx
export const run2 = 'Run';
export const state = 'State';
export const position = (positionInQueue: number) => `, position ${positionInQueue}`;
export const workspace = 'Workspace';
export const resources = 'Resources';
export const startedBy = 'Started by';
export const duration = 'Duration';
export const started = 'Started';
export const toAdd = 'to add';
export const toChange = 'to change';
export const toDestroy = 'to destroy';
export const none = 'none';
export const commit = 'Commit';
// Texts of search.ts
export const planAndApply2 = 'plan and apply';
export const planOnly2 = 'plan only';
export const refreshOnly2 = 'refresh only';
export const destroy2 = 'destroy';
export const savedPlan = 'saved plan';
export const emptyApply = 'empty apply';
export const commandLine = 'Command line';
export const console = 'Console';
export const api = 'API';
export const upload = 'upload';
export const runTrigger = 'run trigger';
export const planOnlyDestroy = 'plan only, destroy';
// Texts of start-run.ts
export const notAVariable = (line: string) => `Not a variable: ${line}`;
