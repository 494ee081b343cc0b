/** Texts of the projects page. */
export const name = 'Name';
export const workspaces = 'Workspaces';
export const workspace = 'workspace';
export const description = 'Description';
export const teams = 'Teams';
export const projects = 'Projects';
export const newProject = 'new project';
export const aProjectGroupsWorkspaces =
  'A project groups workspaces and sets their teams, execution mode, tags and variables.';
export const newProject2 = 'New project';
export const projectsOf = (organization: string) => `Projects of ${organization}`;
export const noProjectsYet = 'No projects that you can see';
export const youSeeProjectsTo = 'You see projects to which one of your teams has access. Create one, for example:';
export const createProject = 'Create project';
export const enterAName = 'Enter a name';
