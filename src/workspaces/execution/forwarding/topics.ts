/** Signals between the node that waits for a response and the agents, which may use other nodes. */
export const topics = {
  /** A pool has a request that no agent has claimed. */
  unclaimed: (agentPoolId: string) => `forward/${agentPoolId}`,
  /** The agent has sent a part of the response. */
  sent: (id: string) => `forwarded/${id}/sent`,
  /** A part of the response was read, or the request is over. */
  taken: (id: string) => `forwarded/${id}/taken`,
};
