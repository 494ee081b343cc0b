/** Texts of the workspace settings page. */
// Texts of AutoDestroy.tsx
export const projectDefault = 'project default';
export const atAFixedTime = 'at a fixed time';
export const afterAPeriodWithoutActivity = 'after a period without activity';
export const noTimeIsSet = 'No time is set.';
export const allResourcesOfThis = (time: string) => `All resources of this workspace are to be destroyed on ${time}.`;
export const theServerStoresThe =
  'The server stores the time and returns it over the API, but does not start a destroy run. An external program must start it.';
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
// Texts of NotificationDialog.tsx
export const saved = (name: string) => `Saved ${name}`;
export const change = (name = '') => `Change ${name}`;
export const newNotification = 'New notification';
export const save = 'Save';
export const createNotification = 'Create notification';
export const enterANameAnd = 'Enter a name and a URL';
export const name = 'Name';
export const destination = 'Destination';
export const theDestinationCannotBe = 'The destination cannot be changed: create another notification';
export const url = 'URL';
export const storedEncryptedAnyoneWho = 'Stored encrypted: anyone who knows the URL can send messages to it.';
export const token = 'Token';
export const leaveItEmptyTo =
  'Leave it empty to keep the stored token. A new URL requires the token again. It is never shown.';
export const signsEachMessageSo = 'Signs each message, so that the receiver can verify the sender. It is never shown.';
export const triggers = 'Triggers';
export const enabled = 'Enabled';
export const theServerSendsA = 'The server sends a test message first, and saves nothing unless the receiver responds.';
// Texts of Approvals.tsx
export const approvals = 'Approvals';
// Texts of Notifications.tsx
export const notifications = 'Notifications';
export const responded = (name: string) => `${name} responded`;
export const newNotification2 = 'New notification…';
export const noNotificationsYetSend = 'No notifications yet. Send run events to Slack, Microsoft Teams or a webhook.';
export const lastResponse = 'Last response';
export const trigger = 'trigger';
export const actions = 'Actions';
export const disabled = 'disabled';
export const nothingSentYet = 'nothing sent yet';
export const noResponse = 'no response';
export const ago = 'ago';
export const responded2 = 'responded';
export const verify = (name: string) => `Verify ${name}`;
export const aVerificationIsInProgress = 'A verification is in progress';
export const verifying = 'Verifying…';
export const verify2 = 'Verify';
export const change2 = (name: string) => `Change ${name}…`;
export const change3 = 'Change…';
export const notification = (name: string) => `notification ${name}`;
export const theReceiverGetsNo = 'The receiver gets no more messages. Messages that are not sent yet are discarded.';
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
// Texts of triggers.ts
export const webhook = 'webhook';
export const aRunIsCreated = 'a run is created';
export const aPlanStarts = 'a plan starts';
export const aRunNeedsAttention = 'a run needs attention';
export const anApplyStarts = 'an apply starts';
export const aRunIsApplied = 'a run is applied, or has nothing to apply';
export const aRunFailsOr = 'a run fails or is canceled';
export const driftIsDetected = 'drift is detected';
export const aCheckOfThe = 'a check of the configuration fails';
export const aHealthAssessmentFails = 'a health assessment fails';
