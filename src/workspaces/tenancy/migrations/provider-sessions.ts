import type { Migration } from '../../../storage/index.ts';

/** What a provider says of the session that it has with somebody: which one it is, and when they proved who they are. */
export const providerSessions: Migration = {
  name: '0035-provider-sessions',
  statements: ({ text, integer }) => [
    // A hash of its name there; null where it has none, or no provider is concerned.
    `ALTER TABLE session ADD COLUMN provider_session ${text}`,
    // Null where nobody has said it.
    `ALTER TABLE session ADD COLUMN authenticated_at ${integer}`,
    'CREATE INDEX session_by_provider_session ON session (provider_session)',
  ],
};
