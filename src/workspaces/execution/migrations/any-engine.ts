import type { Migration } from '../../../storage/index.ts';

/**
 * Adds whether an agent executes jobs with engines beside those that it has said it has. Nothing is known of agents that registered
 * before, so that they go on to get every job.
 */
export const anyEngine: Migration = {
  name: '0062-any-engine',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer }) => [`ALTER TABLE agent ADD COLUMN any_engine ${integer} NOT NULL DEFAULT 1`],
};
