/** Texts of the workspace access page. */
// Texts of AccessDialog.tsx
export const accessOf = (name: string, level: string) => `Access of ${name}: ${level}`;
export const accessOf2 = (name: string) => `Access of ${name}`;
export const grantAccessToATeam = 'Grant access to a team';
export const save = 'Save';
export const grantAccess = 'Grant access';
export const team = 'Team';
export const access = 'Access';
export const permissions = 'Permissions';
// Texts of InheritedPart.tsx
export const projectAccess = 'Project access';
export const accessOfTeamsTo = 'Access of teams to the project';
export const noTeamHasAccess = 'No team has access to the whole project.';
export const accessThroughTheProject = 'Access through the project';
export const managesAllWorkspaces = 'manages all workspaces';
export const managesAllProjectsAnd = 'manages all projects and their workspaces';
export const readsAllWorkspaces = 'reads all workspaces';
export const managesRunTasks = 'manages run tasks';
export const readsRunsBecauseIt = 'reads runs, because it manages policies';
export const readsRunsBecauseIt2 = 'reads runs, because it overrides policies';
export const readsRunsBecauseIt3 = 'reads runs, because it manages agent pools';
export const ownsTheOrganizationFullAccess = 'owns the organization: full access';
export const organizationAccess = 'Organization access';
export const accessThroughTheOrganization = 'Access through the organization';
export const accessToAllWorkspaces = 'Access to all workspaces';
// Texts of Matrix.tsx
export const actions = 'Actions';
export const yes = 'yes';
export const no = 'no';
// Texts of TeamsPart.tsx
export const everyTeamThatYou = 'Every team that you can see has access';
export const grantAccess2 = 'Grant access…';
export const workspaceAccess = 'Workspace access';
export const accessOfTeams = 'Access of teams';
export const noTeamHasAccess2 =
  'No team has access to only this workspace. Grant a team access so that its members can use the workspace.';
export const accessToTheWorkspace = 'Access to the workspace';
export const whyDoesHaveThisAccess = (team: string) => `Why does ${team} have this access?`;
export const why = 'Why?';
export const changeAccessOf = (team: string) => `Change access of ${team}…`;
export const change = 'Change…';
export const remove = 'Remove';
export const accessOf3 = (team: string) => `access of ${team}`;
export const membersAndMachinesOf =
  'Members and machines of the team keep the access that the project and the organization give them.';
// Texts of WhyPart.tsx
export const whyDoYouHave = 'Why do you have this access?';
export const username = 'Username';
export const explain = 'Explain';
export const showMyOwnAccess = 'show my own access';
// Texts of levels.ts
export const readSeeRunsVariables = 'read: see runs, variables and states';
export const planAlsoStartPlans = 'plan: also start plans';
export const writeAlsoApplyLock = 'write: also apply, lock, and change variables and states';
export const adminAlsoChangeSettings = 'admin: also change settings and access, and delete the workspace';
export const customIndividualPermissions = 'custom: individual permissions';
export const lock = 'Lock';
export const runTasks = 'Run tasks';
export const overridePolicies = 'Override policies (not available yet)';
