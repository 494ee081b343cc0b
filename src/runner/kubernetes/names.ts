import { createHash } from 'node:crypto';

/** What our labels and annotations begin with. */
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
 * What the Job is called, and its Secret, for one taking of a job: whoever starts it again finds that it is there. Names are in lower case,
 * ids are not; and a job that is taken anew has another token, and is another Job.
 */
export function nameOf(jobId: string, token: string): string {
  const readable = jobId
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '')
    .slice(0, 32);
  return `lockkeeper-${readable}-${digest(`${jobId}\n${token}`, 10)}`;
}

/** By which an agent finds its Jobs again: two that work for different servers may have the same name. */
export const agentLabel = (server: string, agent: string): string => digest(`${server}\n${agent}`, 20);
