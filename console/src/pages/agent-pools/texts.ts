/** Texts of the agent pools page. */
export const texts = {
  name: 'Name',
  agents: 'Agents',
  agent: 'agent',
  connected: (agents: string) => `${agents} connected`,
  noneConnected: 'none connected',
  availableTo: 'Available to',
  everyWorkspace: 'every workspace',
  usedBy: 'Used by',
  created: 'Created',
  newPool: 'new pool',
  newAgentPool: 'New agent pool',
  pool: 'pool',
  agentsHint:
    'Agents execute runs on your own machines, for workspaces with execution mode agent. A pool groups agents and the workspaces that they serve.',
  youHaveNoPermission:
    'You have no permission to see agent pools. Ask for a team that manages agent pools or workspaces.',
  agentPoolsOf: (organization: string) => `Agent pools of ${organization}`,
  noAgentPoolsYet: 'No agent pools yet',
  agentsRegisterInA:
    'Agents register in a pool with its tokens or certificates, and execute the runs of its workspaces. Create a pool, then start an agent:',
  agentPools: 'Agent pools',
  createPool: 'Create pool',
  enterAName: 'Enter a name',
  availableToEveryWorkspace: 'Available to every workspace of the organization',
  otherwiseOnlyToSelected: 'Otherwise only to selected workspaces, and to the workspaces of selected projects.',
};
