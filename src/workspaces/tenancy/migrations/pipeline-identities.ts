import type { Migration } from '../../../storage/index.ts';

/**
 * Adds pipeline identities: issuers and claims of the tokens that let pipelines act for a team. Tokens that were
 * issued for an identity are deleted with it.
 */
export const pipelineIdentities: Migration = {
  name: '0036-pipeline-identities',
  statements: ({ text, integer, tableOptions }) => [
    // If jwks_url is empty, the issuer's discovery document contains the URL of the keys. audiences and claims are JSON.
    `CREATE TABLE pipeline_identity (
      id ${text} PRIMARY KEY,
      team_id ${text} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      description ${text} NOT NULL,
      issuer ${text} NOT NULL,
      jwks_url ${text} NOT NULL,
      audiences ${text} NOT NULL,
      claims ${text} NOT NULL,
      token_ttl ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer}
    )${tableOptions}`,
    'CREATE INDEX pipeline_identity_by_team ON pipeline_identity (team_id, id)',
    `ALTER TABLE authentication_token ADD COLUMN pipeline_identity_id ${text}
     REFERENCES pipeline_identity (id) ON DELETE CASCADE`,
    'CREATE INDEX authentication_token_by_pipeline ON authentication_token (pipeline_identity_id, expires_at)',
  ],
};
