/** Texts of the dialog that starts a run. */
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
// Texts of start-run.ts
export const notAVariable = (line: string) => `Not a variable: ${line}`;
// Texts of StartButton.tsx
export const uploadAConfigurationFirst = 'Upload a configuration first';
export const startRun2 = 'start run';
export const startRun3 = 'Start run…';
