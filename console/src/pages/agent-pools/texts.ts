/** Texts of the agent pools page. */
export const name = 'Name';
export const agents = 'Agents';
export const agent = 'agent';
export const connected = (agents: string) => `${agents} connected`;
export const noneConnected = 'none connected';
export const availableTo = 'Available to';
export const everyWorkspace = 'every workspace';
export const usedBy = 'Used by';
export const created = 'Created';
export const newPool = 'new pool';
export const newAgentPool = 'New agent pool';
export const pool = 'pool';
export const agentsHint =
  'Agents execute runs on your own machines, for workspaces with execution mode agent. A pool groups agents and the workspaces that they serve.';
export const youHaveNoPermission =
  'You have no permission to see agent pools. Ask for a team that manages agent pools or workspaces.';
export const agentPoolsOf = (organization: string) => `Agent pools of ${organization}`;
export const noAgentPoolsYet = 'No agent pools yet';
export const agentsRegisterInA =
  'Agents register in a pool with its tokens or certificates, and execute the runs of its workspaces. Create a pool, then start an agent:';
export const createPool = 'Create pool';
export const enterAName = 'Enter a name';
export const availableToEveryWorkspace = 'Available to every workspace of the organization';
export const otherwiseOnlyToSelected =
  'Otherwise only to selected workspaces, and to the workspaces of selected projects.';
