/** Texts of the project page. */
// Texts of AccessDialog.tsx
export const accessOf = (name: string, level: string) => `Access of ${name}: ${level}`;
export const accessOf2 = (name: string) => `Access of ${name}`;
export const grantAccessToATeam = 'Grant access to a team';
export const save = 'Save';
export const grantAccess = 'Grant access';
export const team = 'Team';
export const access = 'Access';
export const permissionsOnTheProject = 'Permissions on the project';
export const permissionsOnItsWorkspaces = 'Permissions on its workspaces';
// Texts of ProjectAccess.tsx
export const youHaveNoPermission = 'You have no permission to see the access of teams. It requires can-read-teams.';
export const teams = 'Teams';
export const allTeamsThatYou = 'All teams that you can see have access';
export const addTeam = 'Add team…';
export const ownersHaveFullAccess = 'Owners have full access and are not listed.';
export const noTeamHasAccess = 'No team has access to the whole project yet.';
export const accessToTheProject = 'Access to the project';
export const project = 'Project';
export const settingsTeamsVariableSets = (settings: string, teams: string, variableSets: string) =>
  `settings ${settings}, teams ${teams}, variable sets ${variableSets}`;
export const workspaces = 'Workspaces';
export const locking = ', locking';
export const runsVariablesStates = (runs: string, variables: string, stateVersions: string, value: string) =>
  `runs ${runs}, variables ${variables}, states ${stateVersions}${value}`;
export const actions = 'Actions';
export const changeAccessOf = (one: string) => `Change access of ${one}…`;
export const change = 'Change…';
export const remove = 'Remove';
export const accessOf3 = (one: string) => `access of ${one}`;
export const membersOfTheTeam = 'Members of the team lose these permissions in every workspace of the project.';
// Texts of ProjectPage.tsx
export const theProject = 'The project';
export const settings = 'Settings';
export const workspace = 'workspace';
export const project2 = (workspaces: string) => `project, ${workspaces}`;
export const partsOf = (name: string) => `Parts of ${name}`;
// Texts of ProjectSchedules.tsx
export const schedules = 'Schedules';
// Texts of ProjectSettings.tsx
export const organizationDefault = 'organization default';
export const remoteAgentsOfThe = 'remote: agents of the server plan and apply';
export const agentAgentsOfA = 'agent: agents of a pool plan and apply';
export const localTheClientPlans = 'local: the client plans and applies';
export const general = 'General';
export const id = 'Id';
export const id2 = 'id';
export const execution = 'Execution';
export const created = 'Created';
export const deletion = 'Deletion';
export const theProjectContainsMove = (workspaces: string) =>
  `The project contains ${workspaces}. Move them to another project first.`;
export const theProjectIsEmpty = 'The project is empty. Its deletion also removes the access of teams.';
export const deleteText = 'Delete';
export const project3 = (name: string) => `project ${name}`;
export const team2 = 'team';
export const thisAlsoRemovesThe = (teams: string) => `This also removes the access of ${teams}. It cannot be undone.`;
export const saved = 'Saved';
export const name = 'Name';
export const description = 'Description';
export const agentPool = 'Agent pool';
export const select = 'select';
export const tags = 'Tags';
export const oneOnEachLine = 'One on each line: key, or key=value. Workspaces of the project inherit them.';
export const destroyAfterInactivityOf = 'Destroy after inactivity of';
export const defaultForNewWorkspaces =
  'Such as 14d or 12h; empty: never. Applies to all workspaces without a setting of their own: those that are inactive for longer are destroyed within minutes.';
// Texts of ProjectWorkspaces.tsx
export const showInWorkspaceList = 'Show in workspace list';
export const moveWorkspaceHere = 'Move workspace here…';
export const noWorkspacesThatYou = 'No workspaces that you can see.';
export const workspacesOfTheProject = 'Workspaces of the project';
export const noTagsWorkspacesInherit = 'No tags. Workspaces inherit the tags of their project.';
export const variableSets = 'Variable sets';
export const noVariableSetsAre = 'No variable sets are assigned to the project.';
export const moved = 'Moved';
export const moveAWorkspaceHere = 'Move a workspace here';
export const move = 'Move';
export const selectAWorkspace = 'Select a workspace';
export const theWorkspaceThenGets =
  'The workspace then gets the teams, default execution mode, tags and variables of this project.';
export const workspace2 = 'Workspace';
// Texts of levels.ts
export const readViewEverything = 'read: view everything';
export const writePlanAndApply = 'write: plan and apply, change variables';
export const maintainAlsoSettingsAnd = 'maintain: also settings and new workspaces';
export const adminAlsoTeamsAndDeletion = 'admin: also teams and deletion';
export const customIndividualPermissions = 'custom: individual permissions';
export const lockWorkspaces = 'Lock workspaces';
export const runTasks = 'Run tasks';
export const overridePolicies = 'Override policies (not available yet)';
export const createWorkspaces = 'Create workspaces';
export const moveWorkspaces = 'Move workspaces';
export const deleteWorkspaces = 'Delete workspaces';
// Texts of use-project.ts
export const projects = 'Projects';
