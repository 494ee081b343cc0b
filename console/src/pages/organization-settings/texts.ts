/** Texts of the organization settings page. */
// Texts of Capacity.tsx
export const capacity = 'Capacity';
export const currentRuns = 'Current runs';
export const theCapacity = 'The capacity';
export const running = 'Running';
export const waiting = 'Waiting';
export const features = 'Features';
export const theEntitlements = 'The entitlements';
export const available = 'Available';
export const notAvailable = 'Not available';
// Texts of several parts
export const name = 'Name';
export const url = 'URL';
export const actions = 'Actions';
export const deleteText = 'Delete';
// Texts of Deletion.tsx
export const deletion = 'Deletion';
export const withAllStatesAnd = (workspaces: string, teams: string) =>
  `${workspaces} with all states and runs, ${teams}, every token and agent pool`;
export const thisAlsoDeletesIt = (goes: string) => `This also deletes ${goes}. It cannot be undone.`;
export const organization = (organization: string) => `organization ${organization}`;
export const thisAlsoDeletes = (goes: string) => `This also deletes ${goes}.`;
// Texts of General.tsx
export const remoteAgentsOfThe = 'remote: agents of the server plan and apply';
export const agentAgentsOfA = 'agent: agents of a pool plan and apply';
export const localTheClientPlans = 'local: the client plans and applies; the server stores the state';
export const general = 'General';
export const id = 'Id';
export const id2 = 'id';
export const email = 'Email';
export const execution = 'Execution';
export const engine = 'Engine';
export const created = 'Created';
export const save = 'Save';
export const saved = 'Saved';
export const partOfEveryUrl = 'Part of every URL.';
export const commandLinesAndLinks = 'Command lines and links with the old name stop working.';
export const newWorkspaces = 'New workspaces';
export const agentPool = 'Agent pool';
export const select = 'select';
export const policies = 'Policies';
export const allowUserTokens = 'Allow user tokens';
export const ifOffOnlyClient = 'If off, only client certificates and team tokens give access.';
export const administratorsOfAWorkspace = 'Administrators of a workspace may delete it while it manages resources';
export const checkEveryWorkspaceForDrift = 'Check every workspace for drift';
// Texts of ProviderCheck.tsx
export const providerCheck = 'Provider check';
export const sendsTheRequestsOf =
  'Sends the requests of a sign-in to the saved provider. No user is signed in, and nothing is stored.';
export const checkProvider = 'Check provider';
export const results = 'Results';
// Texts of ProviderForm.tsx
export const invitedUsersWithA = 'invited users with a verified email address';
export const everyUserOfTheProvider = 'every user of the provider';
export const nobody = 'nobody';
export const enterANameAn = 'Enter a name, an issuer and a client ID';
export const saveProvider = 'Save provider';
export const setUpProvider = 'Set up provider';
export const writeEachLineAs = 'Write each line as group = team';
export const nameShownToUsers = 'Name shown to users.';
export const issuer = 'Issuer';
export const exactlyAsInThe = 'Exactly as in the iss claim of its tokens.';
export const clientId = 'Client ID';
export const clientSecret = 'Client secret';
export const aSecretIsStored =
  'A secret is stored. Leave empty to keep it. A new issuer or new CA certificates require the secret again.';
export const leaveEmptyForA = 'Leave empty for a public client.';
export const createAccountsFor = 'Create accounts for';
export const teamMapping = 'Team mapping';
export const oneLineForEach = 'One line for each group: group = team. A * at the end of a group matches any suffix.';
export const mapAGroupTo = 'Map a group to the team with this SSO team ID';
export const groupsClaim = 'Groups claim';
export const separateThePartsOf = 'Separate the parts of a path with dots: realm_access.roles';
export const scopes = 'Scopes';
export const caCertificates = 'CA certificates';
export const pemCertificatesThatVerify =
  "PEM certificates that verify the provider's server. Leave empty to use the CAs of the system.";
// Texts of Recoverable.tsx
export const deletedWorkspaces = 'Deleted workspaces';
export const restored = 'Restored';
export const deletedWorkspacesKeepAll =
  'Deleted workspaces keep all their data until the date below. Until then they can be restored.';
export const noDeletedWorkspaces = 'No deleted workspaces.';
export const deleted = 'Deleted';
export const deleted2 = 'deleted';
export const ago = 'ago';
export const keptUntil = 'Kept until';
export const until = (expiresAt: string) => `until ${expiresAt}`;
export const restore = (name: string) => `Restore ${name}`;
export const restore2 = 'Restore';
export const workspacePermanently = (name: string) => `workspace ${name} permanently`;
export const itsStatesRunsAnd = 'Its states, runs and variables are deleted permanently.';
// Texts of Retention.tsx
export const retention = 'Retention';
export const nothingIsDeletedUnless = 'Nothing is deleted, unless a workspace has its own policy.';
export const noPolicy = 'no policy';
// Texts of RunTaskDialog.tsx
export const saved2 = (name: string) => `Saved ${name}`;
export const changeTask = (name = '') => `Change ${name}`;
export const newRunTask = 'New run task';
export const createRunTask = 'Create run task';
export const enterANameAnd = 'Enter a name and a URL';
export const urlOfTheExternalService = 'URL of the external service.';
export const hmacKey = 'HMAC key';
export const leaveEmptyToKeep =
  'Leave empty to keep the stored key. A new URL requires the key again. The key is never shown.';
export const signsEachRequestSo =
  'Signs each request, so that the service can verify its origin. The key is never shown.';
export const description = 'Description';
export const enabled = 'Enabled';
export const whenYouSaveThe =
  'When you save, the server sends a test request, and stores the task only if the service answers.';
export const evaluateRunsOfEvery = 'Evaluate runs of every workspace of the organization';
export const ifOffTheTask = 'If off, the task evaluates only runs of workspaces that it is attached to.';
// Texts of RunTasks.tsx
export const runTasks = 'Run tasks';
export const newRunTask2 = 'New run task…';
export const aRunTaskSends =
  'A run task sends runs to an external service for evaluation: runs of attached workspaces, or of all workspaces.';
export const noRunTasksYet = 'No run tasks yet.';
export const state = 'State';
export const enabled2 = 'enabled';
export const disabled = 'disabled';
export const evaluates = 'Evaluates';
export const host = 'Host';
export const allWorkspaces = (stages: string, level: string) => `all workspaces: ${stages}, ${level}`;
export const attachedWorkspaces = 'attached workspaces';
export const change = (name: string) => `Change ${name}…`;
export const change2 = 'Change…';
export const runTask = (name: string) => `run task ${name}`;
export const theTaskIsRemoved =
  'The task is removed from all workspaces. Runs that wait for its result count it as failed.';
// Texts of SettingsPage.tsx
export const theOrganization = (organization: string) => `The organization ${organization}`;
export const settings = 'Settings';
export const settingsOfTheOrganization = (organization: string) =>
  `Settings of the organization ${organization}, which apply to all of its projects and workspaces.`;
export const partsOfTheSettings = 'Parts of the settings';
// Texts of SignIn.tsx
export const signIn = 'Sign-in';
export const usersCanSignIn =
  'Users can sign in with an OpenID Connect provider of the organization. Accounts that the provider creates belong to this organization only. Existing accounts stay as they are.';
export const theProvider = 'The provider';
export const callbackUrl = 'Callback URL';
export const callbackUrl2 = 'callback URL';
export const logoutUrl = 'Logout URL';
export const logoutUrl2 = 'logout URL';
export const noProviderYetRegister =
  'No provider yet. Register these URLs with your provider; it gives you a client ID and a secret.';
export const provider = (name: string) => `provider ${name}`;
export const usersWhoSignedIn =
  'Users who signed in with this provider are signed out immediately and can no longer sign in with it. They stay members, and tokens that they created stay valid.';
// Texts of SshKeys.tsx
export const sshKeys = 'SSH keys';
export const addKey = 'Add key…';
export const workspacesUseAnAssigned =
  'Workspaces use an assigned key to fetch modules. Keys are stored encrypted and never shown.';
export const noSshKeysYet = 'No SSH keys yet. Add one so that workspaces can fetch modules over SSH.';
export const key = (name: string) => `key ${name}`;
export const workspacesWithThisKey = 'Workspaces with this key then fetch their modules without a key.';
export const addAnSshKey = 'Add an SSH key';
export const addKey2 = 'Add key';
export const enterANameAnd2 = 'Enter a name and a key';
export const privateKey = 'Private key';
export const aPrivateKeyWithout = 'A private key without a passphrase, as ssh-keygen writes it.';
// Texts of TagsPart.tsx
export const tags = 'Tags';
export const noTagsYetAdd = 'No tags yet. Add tags to workspaces to filter lists by them.';
export const tag = 'Tag';
export const usedBy = 'Used by';
export const tag2 = (name: string) => `tag ${name}`;
export const workspace = 'workspace';
export const theTagIsRemovedFrom = (workspaces: string) => `The tag is removed from ${workspaces}.`;
export const reservedKeys = 'Reserved keys';
export const reserveAKey = 'Reserve a key…';
export const theProjectSetsThe = 'The project sets the value of a reserved key for its workspaces.';
export const noReservedKeysYet = 'No reserved keys yet.';
export const key2 = 'Key';
export const rule = 'Rule';
export const workspacesCannotOverrideIt = 'workspaces cannot override it';
export const workspacesMayOverrideIt = 'workspaces may override it';
export const release = 'Release';
export const key3 = (key: string) => `key ${key}`;
export const workspacesCanThenSet = 'Workspaces can then set their own value.';
export const reserveAKey2 = 'Reserve a key';
export const reserve = 'Reserve';
export const enterAKey = 'Enter a key';
export const workspacesCannotOverrideIt2 = 'Workspaces cannot override it';
// Texts of TokensPart.tsx
export const organizationTokens = 'Organization tokens';
export const teamTokens = 'Team tokens';
export const userTokens = 'User tokens';
export const auditTrailTokens = 'Audit trail tokens';
export const tokens = 'Tokens';
export const organizationToken = 'Organization token';
export const managesTheOrganizationWorkspaces =
  'Manages the organization: workspaces, teams, members, variables. It cannot start runs or read states.';
export const auditTrailToken = 'Audit trail token';
export const theAuditTrailOf = (organization: string) => `the audit trail of ${organization}`;
export const readsTheAuditTrailOnly = 'Reads the audit trail only.';
export const maximumTokenLifetimes = 'Maximum token lifetimes';
export const thePolicies = 'The policies';
export const saveLifetimes = 'Save lifetimes';
export const limitTokenLifetimes = 'Limit token lifetimes';
export const theServerDoesNot =
  'The server does not create team and organization tokens with a longer lifetime, and refuses user tokens with one.';
export const days = (label: string) => `${label}, days`;
// Texts of part.tsx
export const youHaveNoAccess = 'You have no access to this page. Ask an owner of the organization for the permission';
// Texts of provider.ts
export const signInFails = (names: string) => `Sign-in fails: ${names}`;
export const signInMayFail = (names: string) => `Sign-in may fail: ${names}`;
export const theProviderIsReady = 'The provider is ready for a sign-in';
export const sessionsOfMembers = 'Browser sessions of members';
export const sessionIdle = 'Minutes without a request';
export const sessionLifetime = 'Maximum minutes';
export const emptyTheTimesOf = 'Empty: the times of the server. Shorter times apply from the next sign-in.';
// Texts of Notifications.tsx
export const notifications = 'Notifications';
