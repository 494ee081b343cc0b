/** Texts of the workspace page. */
// Texts of LockActions.tsx
export const unlocked = 'Unlocked';
export const lock = 'lock';
export const openRun = 'Open run';
export const unlocking = 'Unlocking…';
export const unlock = 'Unlock';
export const forceUnlock = 'Force unlock…';
export const lockedBy = 'Locked by';
export const forText = ' for ';
export const unlocked2 = 'Unlocked.';
export const lock2 = 'Lock…';
export const theRunReleasesThe = 'The run releases the lock when it ends.';
export const youHoldThisLock = 'You hold this lock.';
export const youCanForceTheUnlock = 'you can force the unlock.';
export const youHaveNoPermission = 'you have no permission to force the unlock.';
export const onlyTheHolderCan = (force: string) => `Only the holder can unlock it; ${force}`;
export const youHaveNoPermission2 = 'You have no permission to unlock it.';
export const locked = 'Locked';
export const lock3 = (name: string) => `Lock ${name}`;
export const lock4 = 'Lock';
export const reason = 'Reason';
export const shownToOtherUsers = 'Shown to other users while the workspace is locked.';
export const forceUnlockOf = (name: string) => `Force unlock of ${name}`;
export const forceUnlock2 = 'Force unlock';
export const typeTheNameOf = 'Type the name of the workspace to confirm';
export const theHolderOfThe = 'The holder of the lock may be changing the workspace now, and is not asked.';
export const nameOfTheWorkspace = 'Name of the workspace';
export const typeToConfirm = (name: string) => `Type ${name} to confirm.`;
// Texts of LockHistory.tsx
export const state = 'State';
export const deletedUser = 'deleted user';
export const unlockedBy = 'Unlocked by';
export const duration = 'Duration';
export const ago = 'ago';
export const locked2 = 'locked';
export const forceUnlocked = 'force-unlocked';
export const unlocked3 = 'unlocked';
export const lockHistory = 'Lock history';
export const theLockHistory = 'The lock history';
export const noLocksYet = 'No locks yet';
export const aLockPreventsOther =
  'A lock prevents other changes while a user or a program works on the workspace. This list shows each lock with its holder and reason.';
export const locksOf = (workspace: string) => `Locks of ${workspace}`;
// Texts of Overview.tsx
export const workspaces = 'Workspaces';
export const latestRun = 'Latest run';
export const noRunsYetStart = 'No runs yet. Start one under Runs, or from the command line.';
export const noMessage = 'No message';
export const resources = 'Resources';
export const noResourcesYetThe = 'No resources yet. The first apply creates them.';
export const state2 = (serial: number | undefined) => `state ${serial},`;
export const theState = 'The state';
export const resourcesByType = 'Resources by type';
export const type = 'Type';
export const share = 'Share';
export const number = 'Number';
export const details = 'Details';
export const id = 'Id';
export const id2 = 'id';
export const project = 'Project';
export const execution = 'Execution';
export const engine = 'Engine';
export const autoApply = 'Auto-apply';
export const workingDirectory = 'Working directory';
export const created = 'Created';
export const updated = 'Updated';
export const tags = 'Tags';
export const yourPermissions = 'Your permissions';
export const seeTheWorkspace = 'see the workspace';
export const noPermissionTo = (mayNot: string) => `No permission to: ${mayNot}.`;
// Texts of WorkspacePage.tsx
export const partsOf = (workspace: string) => `Parts of ${workspace}`;
// Texts of permissions.ts
export const readSettings = 'read settings';
export const readRuns = 'read runs';
export const readVariables = 'read variables';
export const readStates = 'read states';
export const startRuns = 'start runs';
export const confirmRuns = 'confirm runs';
export const writeStates = 'write states';
export const changeVariables = 'change variables';
export const lockAndUnlock = 'lock and unlock';
export const forceUnlock3 = 'force-unlock';
export const changeSettings = 'change settings';
export const deleteText = 'delete';
// Texts of resource-types.ts
export const n1OtherType = '1 other type';
export const otherTypes = (length: number) => `${length} other types`;
// Texts of tabs.ts
export const overview = 'Overview';
export const runs = 'Runs';
export const commits = 'Commits';
export const states = 'States';
export const outputs = 'Outputs';
export const configurations = 'Configurations';
export const variables = 'Variables';
export const access = 'Access';
export const settings = 'Settings';
