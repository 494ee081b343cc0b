import type { Migration } from '../../../storage/index.ts';

/** Adds the session id at the identity provider and the time of the authentication to sessions. */
export const providerSessions: Migration = {
  name: '0035-provider-sessions',
  statements: ({ text, integer }) => [
    // Hash of the session id at the provider. Null if there is none, or no provider.
    `ALTER TABLE session ADD COLUMN provider_session ${text}`,
    // Time of the authentication; null if the provider has not reported it.
    `ALTER TABLE session ADD COLUMN authenticated_at ${integer}`,
    'CREATE INDEX session_by_provider_session ON session (provider_session)',
  ],
};
