import type { Derivation } from './world.ts';

type Outlives = Pick<Derivation, 'name' | 'sources'>;

/** Credentials that outlive their origin on purpose: the table in docs/guides/tokens.md says why. */
export const OUTLIVES: readonly Outlives[] = [
  {
    name: 'Token that another token created for its user, team or organization',
    sources: ['src/workspaces/tenancy/token/tokens.ts'],
  },
  { name: "Token of the server's own agents", sources: ['src/workspaces/execution/agent-pool/own-agents.ts'] },
  { name: 'Identity token of a run', sources: ['src/workspaces/execution/workload-identity/token.ts'] },
  { name: 'Token of a directory', sources: ['src/workspaces/tenancy/scim/tokens.ts'] },
  { name: 'Passkey', sources: ['src/workspaces/tenancy/passkey/passkeys.ts'] },
  { name: 'Copied link of an invitation', sources: ['src/workspaces/tenancy/invitation/links.ts'] },
];

/** Sources that look as if they derived a credential, and what they do instead. */
export const NO_CREDENTIALS: Readonly<Record<string, string>> = {
  'src/access/sys/server-facts.ts': 'the id of the cluster, which is public',
  'src/composition/backup/restore-installation.ts':
    'makes a token of a site administrator through tokens.ts, for the operator',
  'src/backup/format/envelope.ts': 'the key of a backup, encrypted',
  'src/composition/person-token.ts': 'a part of a console session: test/api/sign-in/both-apis.test.ts ends it',
  'src/console/session/ceremony.ts': 'the question for a passkey, which one browser answers once',
  'src/console/session/sealed-cookie.ts': 'encrypts cookies for sources that are declared themselves',
  'src/server/audit/audit.ts': 'hashes in the audit log',
  'src/storage/blobs/blobs.ts': 'names of contents of the same bytes',
  'src/storage/keyring/file-keyring.ts': 'the keyring itself',
  'src/workspaces/vcs/connection/sign-in/authorizations.ts':
    'the state of a sign-in at a VCS provider, which belongs to one session',
  'src/workspaces/vcs/provider/github/app/app-client.ts': 'signs requests to GitHub with the key of an App',
  'src/workspaces/tenancy/authentication/authentication.ts': 'looks credentials up',
  'src/workspaces/execution/agents-let-in.ts': 'hands over to those that are looked up',
  'src/workspaces/tenancy/site-user/site-users.ts': 'makes tokens of service accounts through tokens.ts',
};
