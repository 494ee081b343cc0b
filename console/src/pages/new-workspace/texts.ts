/** Texts of the new workspace page. */
export const projectDefault = 'project default';
export const remoteAnAgentPlans = 'remote: an agent plans and applies';
export const localTheClientPlans = 'local: the client plans and applies; the server stores the state';
export const organizationDefault = 'organization default';
export const workspaces = 'Workspaces';
export const newWorkspace = 'New workspace';
export const created = (name: string) => `Created ${name}`;
export const workspacesOf = (organization: string) => `Workspaces of ${organization}`;
export const aWorkspaceStoresThe =
  'A workspace stores the state of one configuration and allows one run at a time to change it.';
export const createWorkspace = 'Create workspace';
export const enterAName = 'Enter a name';
export const name = 'Name';
export const lettersDigitsAndOpentofu =
  'Letters, digits, - and _. OpenTofu and Terraform find the workspace by this name.';
export const description = 'Description';
export const project = 'Project';
export const permissionsOnTheProject = 'Permissions on the project apply to the workspace.';
export const defaultProject = 'default project';
export const execution = 'Execution';
export const engine = 'Engine';
export const enterARepository = 'Enter a repository';
export const versionControl = 'Version control';
export const startTheFirstRun = 'Start the first run at once';
export const ofTheNewestCommit =
  'A run of the newest commit starts as soon as the server has found the repository. If off, pushes start runs only after a user has started the first one.';
export const tags = 'Tags';
export const separateTagsWithSpaces = 'Separate tags with spaces.';
export const youHaveNoPermission = (organization: string) =>
  `You have no permission to create workspaces in ${organization}. Ask for a team that manages workspaces or projects.`;
export const showAllWorkspaces = 'Show all workspaces';
