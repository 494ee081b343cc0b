/** Texts of the workspace settings page. */
// Texts of AutoDestroy.tsx
export const projectDefault = 'project default';
export const atAFixedTime = 'at a fixed time';
export const afterAPeriodWithoutActivity = 'after a period without activity';
export const noTimeIsSet = 'No time is set.';
export const nextAttempt = (time: string) => `Next attempt: ${time}.`;
export const openTheRun = 'Open the destroy run';
export const retryNow = 'Retry now';
export const theServerStartsAnd =
  'At the time, the server starts a destroy run and applies it, also if auto-apply is off. It keeps the workspace, its variables and its states.';
export const thisTimeHasPassed = 'This time has passed: the destroy run starts within a minute.';
export const saveTime = 'Save time';
export const noChanges = 'No changes';
export const enterATime = 'Enter a time';
export const autoDestroy = 'Auto-destroy';
export const timeUtc = 'Time (UTC)';
export const periodWithoutActivity = 'Period without activity';
export const daysOrHoursFor = 'Days or hours, for example 14d or 6h.';
// Texts of Deletion.tsx
export const resource = 'resource';
export const thisWorkspaceManagesDestroy = (resources: string) =>
  `This workspace manages ${resources}. Destroy them before you delete it. Deleting it with its resources requires permission to force the deletion.`;
export const thisWorkspaceManagesThey = (resources: string) =>
  `This workspace manages ${resources}. They keep running, but no workspace manages them any more.`;
export const thisWorkspaceManagesNo =
  'This workspace manages no resources. Deleting it also deletes its states, runs, variables and locks.';
export const deleteText = 'Delete';
export const workspace = (name: string) => `workspace ${name}`;
export const thisAlsoDeletesIts = 'This also deletes its states, runs and variables';
export const andTheStateOf = (resources: string) => `, and the state of ${resources}`;
export const anAdministratorCanRestore =
  '. Members with the permission to create and manage all workspaces can restore the workspace until the server deletes it permanently.';
// Texts of General.tsx
export const general = 'General';
export const sshKey = 'SSH key';
export const deletion = 'Deletion';
// Texts of More.tsx
export const theFirstOf = (shown: string, total: string) => `The first ${shown} of ${total}.`;
// Texts of Approvals.tsx
export const approvals = 'Approvals';
// Texts of Notifications.tsx
export const notifications = 'Notifications';
export const name = 'Name';
export const destination = 'Destination';
export const triggers = 'Triggers';
export const trigger = 'trigger';
export const disabled = 'disabled';
export const actions = 'Actions';
export const change = (name = '') => `Change ${name}`;
export const change2 = (name: string) => `Change ${name}…`;
export const change3 = 'Change…';
export const save = 'Save';
export const ago = 'ago';
export const inheritedNotifications = 'Inherited notifications';
export const inheritedFrom = 'Inherited from';
export const noInheritedNotifications =
  'None. Notifications of the project, of teams with access and of the organization appear here.';
export const ofProject = 'project';
export const ofTeam = 'team';
export const ofOrganization = 'organization';
// Texts of Remove.tsx
export const removed = (name: string) => `${name} removed`;
export const remove = (name: string) => `Remove ${name}`;
export const removing = 'Removing…';
export const remove2 = 'Remove';
// Texts of Retention.tsx
export const retention = 'Retention';
export const oldVersionsAndRuns = 'Data retention';
export const theDataRetentionPolicy = 'The data retention policy';
export const theRetentionPolicyOf =
  'The retention policy of the organization applies. Without one, nothing is deleted.';
export const organizationDefault = 'organization default';
// Texts of RunTasks.tsx
export const runTasks = 'Run tasks';
export const attachTask = 'Attach task…';
export const noRunTasksYet =
  'No run tasks yet. Attach one so that an external service evaluates the runs of this workspace.';
export const runTasksOfTheWorkspace = 'Run tasks of the workspace';
export const enforcementLevel = 'Enforcement level';
export const disabled2 = ', disabled';
export const stages = 'Stages';
export const globalRunTasks = 'Global run tasks';
export const runTasksOfAllWorkspaces = 'Run tasks of all workspaces';
export const detach = 'Detach';
export const task = (name: string) => `task ${name}`;
export const runsThatAreCreated =
  'Runs that are created from now on are not evaluated by this task. Existing runs still are.';
export const attachRunTask = 'Attach run task';
export const attachTask2 = 'Attach task';
export const youCanSeeNo = 'You can see no other run task';
export const selectAStage = 'Select a stage';
export const youCanSeeNo2 = 'You can see no other run task. Create run tasks in the settings of the organization.';
export const runTask = 'Run task';
// Texts of RunTriggers.tsx
export const runTriggers = 'Run triggers';
export const sourceWorkspaces = 'Source workspaces';
export const addWorkspace = 'Add workspace…';
export const triggeredWorkspaces = 'Triggered workspaces';
export const runAfterTheRuns = (workspace: string) => `Run ${workspace} after the runs of another workspace`;
export const addWorkspace2 = 'Add workspace';
export const eachAppliedRunOf = 'Each applied run of the selected workspace starts a run here.';
export const noRunTriggers = 'No run triggers.';
export const workspacesWhoseRunsStart = 'Workspaces whose runs start a run here';
export const workspacesInWhichRuns = 'Workspaces in which runs here start a run';
export const workspace2 = 'Workspace';
export const created = 'Created';
export const saved2 = 'Saved';
export const autoApplyTriggeredRuns = 'Auto-apply triggered runs';
export const plansThatSucceedAre = 'Plans that succeed are applied without confirmation.';
// Texts of Schedules.tsx
export const schedules = 'Schedules';
// Texts of SettingsForm.tsx
export const youHaveNoPermission = 'You have no permission to change this';
export const requiresCanUpdate = 'Requires can-update';
export const nameAndDescription = 'Name and description';
export const configurationsReferToThe = 'Configurations refer to the workspace by this name.';
export const configurationsWithTheOld = 'Configurations with the old name no longer find the workspace.';
export const description = 'Description';
export const execution = 'Execution';
export const executionMode = 'Execution mode';
export const projectDefault2 = (mode: string) => `project default: ${mode}`;
export const remoteAgentsOfThis = 'remote: agents of this server plan and apply';
export const agentAgentsOfA = 'agent: agents of a pool plan and apply';
export const localTheCommandLine = 'local: the command line plans and applies, the server stores the state';
export const engine = 'Engine';
export const engineVersion = 'Engine version';
export const forExample111 = 'For example 1.11.0, ~> 1.10 or latest.';
export const workingDirectory = 'Working directory';
export const directoryOfTheConfiguration = 'Directory of the configuration in which the engine runs. Empty: its root.';
export const runs = 'Runs';
export const autoApply = 'Auto-apply';
export const allowDestroyPlans = 'Allow destroy plans';
export const structuredOutput = 'Structured output';
export const healthAssessments = 'Health assessments';
export const looksForDriftOnce = 'Looks for drift once a day.';
export const agentPool = 'Agent pool';
// Texts of SshKey.tsx
export const noSshKey = 'No SSH key.';
export const sshKeys = 'SSH keys';
export const saveKey = 'Save key';
export const runsFetchModulesWith = 'Runs fetch modules with this key.';
// Texts of StateSharing.tsx
export const selectedWorkspaces = 'selected workspaces';
export const allWorkspacesOfTheProject = 'all workspaces of the project';
export const allWorkspacesOfTheOrganization = 'all workspaces of the organization';
export const stateSharing = 'State sharing';
export const runsOfCanRead = (workspaces = '') => `Runs of ${workspaces} can read the state of this workspace.`;
export const readableBy = 'Readable by';
export const readersGetTheWhole = 'Readers get the whole state, including its secrets.';
export const selectedWorkspaces2 = 'Selected workspaces';
export const workspacesWithAccessTo = 'Workspaces with access to the state';
export const noWorkspacesThatYou =
  'No workspaces that you can see. Add a workspace so that its runs can read this state.';
export const grantAWorkspaceAccess = (name: string) => `Grant a workspace access to the state of ${name}`;
// Texts of Tags.tsx
export const tags = 'Tags';
export const addTag = 'Add tag…';
export const noTagsYetAdd = 'No tags yet. Add tags to find and group workspaces.';
export const tagsOfTheWorkspace = 'Tags of the workspace';
export const tag = 'Tag';
export const keysAndValues = 'Keys and values';
export const setKey = 'Set key…';
export const noKeysAndValues =
  'No keys and values yet, neither here nor in the project. Set a key to describe the workspace.';
export const keysAndValuesOf = 'Keys and values of the workspace';
export const key = 'Key';
export const value = 'Value';
export const noValue = 'no value';
export const source = 'Source';
export const thisWorkspace = 'this workspace';
export const itsProject = 'its project';
export const addTag2 = 'Add tag';
export const enterAName = 'Enter a name';
export const setKey2 = 'Set key';
export const enterAKey = 'Enter a key';
// Texts of WorkspaceSettingsPage.tsx
export const partsOfTheSettingsOf = (workspace: string) => `Parts of the settings of ${workspace}`;
// Texts of part.tsx
export const settings = 'Settings';
export const thisPageRequires = 'This page requires';
export const anAdministratorOfThe = '. An administrator of the workspace can give you this permission.';
