/** Texts of the machine identities page. */
// Texts of BridgeDetails.tsx
export const to = (role: string, owner: string) => `${role} to ${owner}`;
export const loginsWithActFor = (name: string, owner: string) => `Logins with ${name} act for ${owner}.`;
export const lastLogin = 'Last login';
export const never = 'never';
export const created = 'Created';
export const id = 'Id';
export const id2 = 'id';
export const testACertificate = 'Test a certificate…';
export const remove = 'Remove';
export const identity = (role: string) => `identity ${role}`;
export const removalHint =
  'Machines that log in through this role no longer act for this team or agent pool. Their tokens stay valid, but give no access to workspaces.';
export const thisRoleDoesNot = 'This role does not exist, so no client can log in with it.';
export const youHaveNoPermission = 'You have no permission to read the role.';
export const theAgentExecutesEach = (runs: string) =>
  `The agent executes ${runs}. Each job has its own token; the agent has no other access.`;
export const showAgentPool = 'Show agent pool';
export const theTeamHasNo = 'The team has no access to workspaces yet.';
export const grantAccess = 'Grant access';
export const accessibleWorkspaces = 'Accessible workspaces';
export const andMore = (number: number) => `and ${number} more`;
// Texts of MachineIdentitiesPage.tsx
export const access = 'Access';
export const machineIdentities = 'Machine identities';
export const test = 'test';
export const newText = 'new';
export const pageHint =
  'A machine identity is a rule that allows a client certificate to act for a team or an agent pool. No secret is stored on the machine.';
export const addMachineIdentity = 'Add identity…';
export const filters = 'Filters';
export const noIdentitiesForRole = (role: string) => `No identities for role ${role}`;
export const noMachineIdentitiesYet = 'No machine identities yet';
export const tokensOfThisRole =
  'Tokens of this role give no access to workspaces. You see identities of teams that you own and of pools that you manage.';
export const addOneSoThat =
  'Add one so that logins with a role of the access API act for a team, or as an agent of a pool. You see identities of teams that you own and of pools that you manage.';
export const identities = 'Identities';
export const machineIdentity = 'machine identity';
export const machineIdentities2 = 'machine identities';
export const certificates = 'Certificates';
export const roleThatAcceptsThem = 'Role that accepts them';
export const teamOrAgentPool = 'Team or agent pool';
export const workspaces = 'Workspaces';
export const signInToWorkspaces = 'Sign in to workspaces to see machine identities';
export const signInToWorkspaces2 = 'Sign in to workspaces';
export const machineIdentitiesBelongTo =
  'Machine identities belong to teams and agent pools. You are signed in to access only; a token of the workspace API shows them.';
// Texts of NewIdentity.tsx
export const added = (role: string) => `Added ${role}`;
export const addAMachineIdentity = 'Add a machine identity';
export const add = 'Add';
export const enterARole = 'Enter a role';
export const select = (owner: string) => `Select ${owner}`;
export const commonName = 'Common name';
export const commonNameOfThe =
  'Common name of the certificate; * matches any characters. Leave empty to accept every certificate that the role accepts.';
export const organization = 'Organization';
export const purpose = 'Purpose';
export const actForATeam = 'act for a team';
export const registerAsAgentOf = 'register as agent of a pool';
export const find = 'Find';
export const team = 'Team';
export const agentPool = 'Agent pool';
export const withThisName = ' with this name';
export const yet = ' yet';
export const noEntries = (suffix: string) => `No entries${suffix}`;
export const aTeam = 'a team';
export const anAgentPool = 'an agent pool';
export const role = 'Role';
export const roleWithWhichThe = 'Role with which the machine logs in.';
export const mount = 'Mount';
export const pathOfTheAuth = 'Path of the auth method: auth/…';
// Texts of Node.tsx
export const reached = 'reached';
export const stopsHere = 'stops here';
export const notReached = 'not reached';
// Texts of Outcome.tsx
export const testAnother = 'Test another…';
export const pathsOfTheCertificate = 'Paths of the certificate';
export const otherRole = 'other role';
export const refuses = 'refuses';
export const refuse = 'refuse';
export const itToo = (otherRoles: string, value: string) => `${otherRoles} ${value} it too.`;
export const inspectCertificate = 'Inspect certificate';
export const noRoleOfAuth = (mount: string) => `No role of auth/${mount} accepts it`;
export const refusesIt = (role = '') => `${role} refuses it`;
export const everyRoleRefusesIt = 'every role refuses it';
export const itIsNotAccepted = (reason: string) => `It is not accepted: ${reason}`;
export const acceptedBy = (roles: string) => `Accepted by ${roles}`;
export const acceptedByButActs = (roles: string) =>
  `Accepted by ${roles}, but acts for no team or agent pool that you can see`;
export const acceptedByActsFor = (roles: string, owners: string) => `Accepted by ${roles}; acts for ${owners}`;
export const theCertificate = 'the certificate';
export const isAcceptedByTheRole = 'is accepted by the role';
export const isRefusedByTheRole = 'is refused by the role';
export const actsFor = 'acts for';
export const noTeamOrAgentPool = 'No team or agent pool';
export const noMatchingMachineIdentity = 'no matching machine identity';
export const signInToWorkspaces3 = 'sign in to workspaces to see it';
export const andCanAccess = 'and can access';
export const noWorkspace = 'No workspace';
export const expected = ': expected';
export const actual = ', actual';
export const showAllChecks = 'Show all checks';
export const editRole = 'Edit role';
export const itsTokenGivesNo =
  'Its token gives no access to workspaces: no machine identity that you can see uses this role.';
export const itsCommonNameMatches = (identities: string) =>
  `Its common name matches none of the ${identities} of the role: `;
export const accepts = (owner: string, name: string) => `${owner} accepts ${name}`;
// Texts of RoleChain.tsx
export const logInWithTheRole = 'log in with the role';
export const whichCanAccess = 'which can access';
export const to2 = (role: string, identity: string) => `${role} to ${identity}`;
// Texts of TestPart.tsx
export const endToEndTest = 'End-to-end test of a certificate';
export const nothingIsLoggedIn = 'Nothing is logged in or stored.';
export const close = 'Close';
export const theAccessApiChecks = 'The access API checks certificates. Sign in to access to test one.';
export const theTest = 'The test';
export const testCertificate = 'Test certificate';
export const requiresUpdateOn = (path: string) => `Requires update on ${path}`;
export const checksOnlyThisRole = 'Checks only this role. Leave empty to check the first hundred.';
// Texts of bridges.ts
export const anyCommonName = 'any common name';
export const commonName2 = (name: string) => `common name ${name}`;
export const aName = 'a name';
export const aCommonName = 'a common name';
export const aDnsName = 'a DNS name';
export const anEmailAddress = 'an email address';
export const aUri = 'a URI';
export const anOrganizationalUnit = 'an organizational unit';
export const anOrganization = 'an organization';
export const anIpAddress = 'an IP address';
export const anotherName = 'another name';
export const aSubjectAttribute = 'a subject attribute';
export const or = (others: string) => ` or ${others}`;
export const like = (name: string, patterns: string) => `${name} like ${patterns}`;
export const requiredExtension = 'required extension';
export const inTheCertificate = (extensions: string) => `${extensions} in the certificate`;
export const aGoodOcspResponse = 'a good OCSP response';
export const aSourceAddressIn = (ranges: string) => `a source address in ${ranges}`;
const with_ = (names: string) => `, with ${names}`;
export const withAnyNames = ', with any names';
export const acceptsCertificatesIssuedBy = (issuers: string, constraints: string, lifetime: string) =>
  `Accepts certificates issued by ${issuers}${constraints}. ${lifetime}`;
export const itsTokensAreValidFor = (ttl: string) => `Its tokens are valid for ${ttl}`;
export const itsTokensAreValid = 'Its tokens are valid for the default time of the mount';
export const forAtMost = (requests: string) => `, for at most ${requests}`;
export const administers = 'administers';
export const writes = 'writes';
export const applies = 'applies';
export const plans = 'plans';
export const reads = 'reads';
export const sees = 'sees';
export const locks = (level: string) => `${level}, locks`;
// Texts of nodes.tsx
export const noCertificate = 'No certificate';
export const theRoleDoesNotExist = 'the role does not exist';
export const definedByTheRole = 'defined by the role';
export const noCa = 'No CA';
export const anyName = 'any name';
export const tokenValidFor = (tokenTtl: string) => `token valid for ${tokenTtl}`;
export const notFound = 'not found';
export const forText = 'for';
export const ofText = (kind: string) => `, ${kind} of`;
// Texts of use-reach.ts
export const noWorkspacesYet = 'no workspaces yet';
export const workspace = 'workspace';
export const noRunsYet = 'no runs yet';
export const runsOf = (workspaces: string) => `runs of ${workspaces}`;
export const availableToEveryWorkspace = 'available to every workspace';
export const availableToSomeWorkspaces = 'available to some workspaces';
export const more = (number: number) => `, ${number} more`;
export const itsTeamHasNo = 'its team has no access to workspaces';

export { with_ as with };
