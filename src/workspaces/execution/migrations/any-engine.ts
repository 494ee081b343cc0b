import type { Migration } from '../../../storage/index.ts';

/**
 * Adds whether an agent can execute jobs with engines that it has not registered. Agents that registered before still
 * get every job.
 */
export const anyEngine: Migration = {
  name: '0062-any-engine',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer }) => [`ALTER TABLE agent ADD COLUMN any_engine ${integer} NOT NULL DEFAULT 1`],
};
