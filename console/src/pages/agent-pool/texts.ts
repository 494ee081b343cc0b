/** Texts of the agent-pool page. */
// Texts of AgentPoolPage.tsx
export const agents = 'Agents';
export const theAgentPool = 'The agent pool';
export const agentPool = 'agent pool';
export const noAgentIsConnected = 'No agent is connected. Queued runs start when an agent connects.';
export const tokens = 'Tokens';
export const agentPool2 = (name: string) => `agent pool ${name}`;
export const tokensHint = 'An agent registers with a token and requests jobs with it. The token gives no other access.';
export const noAgentIsConnected2 = 'No agent is connected';
export const connected = (agents: string) => `${agents} connected`;
export const noRunsWaiting = 'no runs waiting';
export const waiting = (runs: string) => `${runs} waiting`;
export const details = 'Details';
export const id = 'Id';
export const id2 = 'id';
export const availableTo = 'Available to';
export const everyWorkspace = 'every workspace';
export const usedBy = 'Used by';
export const created = 'Created';
export const deletion = 'Deletion';
export const deleteText = 'Delete';
export const pool = (name: string) => `pool ${name}`;
export const deletionHint =
  'This also deletes the agents, tokens and machine identities of the pool. Assign another pool to its workspaces first.';
// Texts of PoolAgents.tsx
export const unknownNoContact = 'unknown (no contact)';
export const agentsHint =
  'An agent executes one job at a time: a machine with four slots registers four agents. Disconnected agents stay in this list for two hours.';
export const noAgentsYet = 'No agents yet. Start one with a token or a certificate of this pool:';
export const name = 'Name';
export const status = 'Status';
export const engines = 'Engines';
export const installedWhenNeeded = 'installed when needed';
export const from = 'From';
export const lastContact = 'Last contact';
export const ago = 'ago';
export const actions = 'Actions';
export const deregister = 'Deregister';
export const agent = (name: string) => `agent ${name}`;
export const theServerStopsWaiting =
  'The server stops waiting for the job of this agent. If the agent connects again, it registers as a new one.';
export const inText = (organization: string) => `in ${organization}`;
const with_ = 'with';
// Texts of PoolQueue.tsx
export const queue = 'Queue';
export const theQueue = 'The queue';
export const noRunsAreWaiting = 'No runs are waiting.';
export const waitingRuns = 'Waiting runs';
export const workspace = 'Workspace';
export const message = 'Message';
export const queued = 'Queued';
export const runOf = (workspace: string) => `Run of ${workspace}`;
// Texts of PoolScope.tsx
export const settings = 'Settings';
export const saveSettings = 'Save settings';
export const saved = 'Saved';
export const availableToEveryWorkspace = 'Available to every workspace of the organization';
export const projects = 'Projects';
export const workspaces = 'Workspaces';

export { with_ as with };
