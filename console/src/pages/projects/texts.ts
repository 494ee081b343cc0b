/** Texts of the projects page. */
export const texts = {
  name: 'Name',
  workspaces: 'Workspaces',
  workspace: 'workspace',
  description: 'Description',
  teams: 'Teams',
  projects: 'Projects',
  newProject: 'new project',
  aProjectGroupsWorkspaces: 'A project groups workspaces and sets their teams, execution mode, tags and variables.',
  newProject2: 'New project',
  projectsOf: (organization: string) => `Projects of ${organization}`,
  noProjectsYet: 'No projects that you can see',
  youSeeProjectsTo: 'You see projects to which one of your teams has access. Create one, for example:',
  createProject: 'Create project',
  enterAName: 'Enter a name',
};
