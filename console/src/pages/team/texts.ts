/** Texts of the team page. */
// Texts of PipelineDialog.tsx
export const otherIssuer = 'other issuer';
export const pipelineIdentityUpdated = 'Pipeline identity updated';
export const pipelineIdentityAdded = 'Pipeline identity added';
export const changePipelineIdentity = 'Change pipeline identity';
export const addPipelineIdentityToTeam = (team: string) => `Add pipeline identity to team ${team}`;
export const change = 'Change';
export const add = 'Add';
export const noChanges = 'No changes';
export const description = 'Description';
export const shownToPeopleOnly = 'Shown to people only; it has no effect.';
export const ciSystem = 'CI system';
export const issuer = 'Issuer';
export const theIssClaimOf =
  'Must equal the iss claim. The server reads the keys from the discovery document under this URL.';
export const jwksUrl = 'JWKS URL';
export const urlOfTheKeys = 'URL of the keys, for an issuer without a discovery document.';
export const claims = 'Claims';
export const everyClaimMustMatch =
  'Every claim must match. One per line: name = value, or name = [several values]; * matches any characters. Bind claims that only your own pipelines can have.';
export const audiences = 'Audiences';
export const theAudClaimMust =
  'The aud claim must contain one of these, one per line. Tokens for other audiences are refused.';
export const tokenLifetime = 'Token lifetime';
export const secondsFrom60To3600 = 'Seconds, from 60 to 3600.';
export const thisChangeRevokesThe = 'This change revokes the tokens that its pipelines hold.';
// Texts of Pipelines.tsx
export const pipelineIdentities = 'Pipeline identities';
export const inspectAToken = 'Inspect a token';
export const addPipelineIdentity = 'Add pipeline identity…';
export const pipelinesLede =
  'A pipeline identity allows tokens of a CI system, such as GitHub Actions or GitLab, to act for';
export const team = (name: string) => `team ${name}`;
export const pipelinesLedeEnd = '. No secret is stored in the CI system.';
export const noPipelineIdentitiesYet =
  'No pipeline identities yet. Add one so that jobs of a CI system can act for this team.';
export const pipelineIdentitiesOfTeam = (name: string) => `Pipeline identities of team ${name}`;
export const name = 'Name';
export const lastUsed = 'Last used';
export const actions = 'Actions';
export const change2 = (one: string) => `Change ${one}…`;
export const change3 = 'Change…';
export const remove = 'Remove';
export const identity = (one: string) => `identity ${one}`;
export const itsPipelinesCanNo = 'Its pipelines can no longer act for';
export const theirTokensAreRevokedImmediately = '. Their tokens are revoked immediately.';
// Texts of PipelinesPage.tsx
export const teams = 'Teams';
export const pipelines = 'Pipelines';
export const ofTeam = (name: string) => `of team ${name}`;
export const showsWhetherTheToken =
  'Shows whether the token of a CI job would be accepted for this team, and why not. Nothing is logged in or stored.';
export const pipelineConfiguration = 'Pipeline configuration';
export const token = 'Token';
export const inspectAnotherToken = 'Inspect another token…';
export const thisIsNotAToken = 'This is not a token';
export const evaluatedForALoginNow = 'Evaluated for a login now';
export const theTokenItself = 'The token itself';
export const notValid = 'not valid';
export const other = 'other';
export const anyOauthClientCan =
  'Any OAuth client can exchange its token; the server returns one that is valid for minutes.';
export const withTheCredentialsHelper = 'With the credentials helper, no login step is needed:';
export const and = 'and';
export const logInByThemselves = 'log in by themselves.';
export const configuration = 'configuration';
// Texts of TeamAccess.tsx
export const organizationAccess = 'Organization access';
export const permissionsOfTheTeam = 'Permissions of the team';
export const area = 'Area';
export const permissions = 'Permissions';
export const yes = 'yes: ';
export const no = 'no: ';
export const saveAccess = 'Save access';
export const saved = 'Saved';
// Texts of TeamMembers.tsx
export const members = 'Members';
export const addMember = 'Add member…';
export const noMembersYetAdd =
  'No members yet. Add members of the organization to give them the permissions of this team.';
export const membersOf = (name: string) => `Members of ${name}`;
export const member = 'Member';
export const status = 'Status';
export const email = 'Email';
export const member2 = (email: string) => `member ${email}`;
export const theMemberLosesThe = 'The member loses the permissions of this team, but stays in the organization.';
export const addMember2 = 'Add member';
export const selectAMember = 'Select a member';
export const aMemberOfThe = 'A member of the organization. Invite other people first, under Members.';
// Texts of TeamPage.tsx
export const theTeam = 'The team';
export const member3 = 'member';
export const team2 = (members: string) => `team, ${members}`;
export const onlyItsMembersSee = 'Only its members see this team.';
export const everyMemberOfThe = 'Every member of the organization sees this team.';
export const tokens = 'Tokens';
export const anyoneWhoHoldsA = 'Anyone who holds a team token acts as the team, with all its permissions.';
export const deletion = 'Deletion';
export const deleteText = 'Delete';
export const loseThePermissionsOf = (members: string) =>
  `${members} lose the permissions of this team. This also deletes its tokens, machine identities and pipeline identities.`;
// Texts of TeamSettings.tsx
export const settings = 'Settings';
export const saveSettings = 'Save settings';
export const visibleTo = 'Visible to';
export const everyMemberOfTheOrganization = 'every member of the organization';
export const onlyItsMembers = 'only its members';
export const membersCreateAndRevoke = 'Members create and revoke team tokens';
// Texts of access.ts
export const workspaces = 'Workspaces';
export const readAllWorkspaces = 'read all workspaces';
export const createAndManageAllWorkspaces = 'create and manage all workspaces';
export const projects = 'Projects';
export const readAllProjects = 'read all projects';
export const createAndManageAllProjects = 'create and manage all projects';
export const membersAndTeams = 'Members and teams';
export const inviteAndRemoveMembers = 'invite and remove members';
export const createAndManageTeams = 'create and manage teams';
export const changeThePermissionsOfTeams = 'change the permissions of teams';
export const seeSecretTeams = 'see secret teams';
export const runs = 'Runs';
export const manageAgentPools = 'manage agent pools';
export const manageRunTasks = 'manage run tasks';
export const manageVcsProvidersAnd = 'manage VCS providers and SSH keys';
export const policies = 'Policies (not available yet; the first two include reading runs)';
export const managePolicies = 'manage policies';
export const overrideFailedPolicies = 'override failed policies';
export const letOthersOverrideFailedPolicies = 'let others override failed policies';
export const registry = 'Registry (not available yet)';
export const manageModules = 'manage modules';
export const manageProviders = 'manage providers';
// Texts of pipeline.ts
export const enterAnIssuer = 'Enter an issuer';
export const enterAnAudience = 'Enter an audience';
export const enterAClaim = 'Enter a claim';
