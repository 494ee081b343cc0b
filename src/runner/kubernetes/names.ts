import { createHash } from 'node:crypto';

/** Prefix of our labels and annotations. */
const OURS = 'lockkeeper.dev';

/** Labels and annotations of Jobs, Secrets and pods. */
export const LABELS = { agent: `${OURS}/agent`, job: `${OURS}/job`, run: `${OURS}/run` } as const;
export const ANNOTATIONS = {
  agent: `${OURS}/agent-name`,
  agentId: `${OURS}/agent-id`,
  workspace: `${OURS}/workspace`,
} as const;

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/**
 * Returns the name of the Job and its Secret. The name depends on the token: a restarted agent finds the existing Job,
 * and a job that is claimed again, with a new token, gets a new Job. Ids are converted to lower case, as Kubernetes
 * requires.
 */
export function nameOf(jobId: string, token: string): string {
  const readable = jobId
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '')
    .slice(0, 32);
  return `lockkeeper-${readable}-${digest(`${jobId}\n${token}`, 10)}`;
}

/** Returns the label by which an agent finds its Jobs. Agents of different servers may have the same name. */
export const agentLabel = (server: string, agent: string): string => digest(`${server}\n${agent}`, 20);
