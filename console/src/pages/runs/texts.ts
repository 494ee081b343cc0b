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
// Texts of WorkspaceRuns.tsx
export const matchingRun = 'matching run';
export const run = 'run';
export const matchingRuns = 'matching runs';
export const runs2 = 'runs';
export const executionModeLocalThe = 'Execution mode local: the command line executes the runs';
export const noRunOfThis = 'No run of this workspace matches all filters.';
// Texts of columns.tsx
export const message = 'Message';
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
