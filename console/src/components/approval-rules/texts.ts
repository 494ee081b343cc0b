/** Texts of approval rules. */
export const approvals = 'Approvals';
export const addRule = 'Add rule…';
export const newRule = 'New approval rule';
export const createRule = 'Create rule';
export const changeRule = (name: string) => `Change ${name}`;
export const save = 'Save';
export const change = 'Change…';
export const deleteText = 'Delete';
export const ruleNamed = (name: string) => `approval rule ${name}`;
export const deletionOfRule =
  'Its runs need fewer approvals from now on. Runs that wait are not applied until a user confirms them again.';
export const noRules =
  'No approval rules. With a rule, members of the teams that you name must approve a run before it is applied.';
export const name = 'Name';
export const required = 'Required approvals';
export const requiredHelp = 'Number of different users, 1 to 10.';
export const runs = 'Runs';
export const allRuns = 'All applies';
export const destroyRuns = 'Destroy runs only';
export const teams = 'Teams';
export const requester = 'Requesters may approve';
export const requesterHelp =
  'If off, approvals of requesters do not count. Requesters started the run, created its configuration version, or last changed the schedule or auto-destroy setting that started it.';
export const rule = 'Rule';
export const of = 'Of';
export const project = 'Project';
export const workspace = 'Workspace';
export const actions = 'Actions';
export const saved = (rule: string) => `${rule} saved`;
export const needs = (count: number, who: string) =>
  count === 1 ? `1 approval by members of ${who}` : `${count} approvals by members of ${who}`;
export const or = ' or ';
export const secretTeam = 'a secret team';
export const deletedTeam = (team: string) => `${team} (deleted)`;
export const noTeam = 'no team';
export const enterANameAndTeam = 'Enter a name and select a team';
export const noTeams = 'No teams that you can see.';
export const changedInProject = 'Users who manage the project change this rule.';
