/** Texts of the frame: navigation, top bar, command palette, and pages for errors. */
// Texts of Bar.tsx
export const system = 'System';
export const light = 'Light';
export const dark = 'Dark';
export const navigation = 'Navigation';
export const breadcrumbs = 'Breadcrumbs';
export const keysOfThisPage = 'Keyboard shortcuts';
export const theme = (value: string) => `Theme: ${value}`;
// Texts of Half.tsx
export const access = 'Access';
export const workspaces = 'Workspaces';
export const signInToOpen = (api: string) => `Sign in to ${api} to open this page`;
export const signInTo = (side: string) => `Sign in to ${side}`;
export const theWorkspaceApi = 'the workspace API';
export const theAccessApi = 'the access API';
export const signedInToOther = (api: string) =>
  `You are signed in to ${api} only. You stay signed in there when you also sign in here.`;
export const askForAPolicy = (provider: string) =>
  `If the operator maps one of your groups to a policy (sign_in.oidc.policies), one sign-in with ${provider} opens both APIs.`;
export const accessComesFrom = 'To open this page, sign in with a token of the access API or with a certificate.';
export const workspacesComeFrom =
  'To open this page, sign in as a user: with a passkey, a token or an identity provider. An invitation to an organization leads to an account.';
// Texts of KeysDialog.tsx
export const close = 'Close';
// Texts of Missing.tsx
export const why = 'Why?';
// Texts of OrganizationSwitch.tsx
export const organization = 'Organization:';
export const organizations = 'Organizations';
export const allOrganizations = 'All organizations';
// Texts of Rail.tsx
export const console = 'Console';
export const ofWorkspaces = 'workspaces';
export const ofAccess = 'access';
export const lockkeeper = 'Lockkeeper';
export const signInTo2 = (label: string) => `Sign in to ${label}`;
export const signedInAs = 'Signed in as';
export const signedInTo = (side: string) => `Signed in to ${side}`;
export const bothApis = 'both APIs';
export const and = ' and ';
export const until = 'until';
export const rootToken = 'Root token: everything in access is allowed';
export const signingOut = 'Signing out…';
export const signOut = 'Sign out';
export const byCertificate = (side: string) => `${side} by certificate`;
export const as = (side: string, kind: string) => `${side} as ${kind}`;
// Texts of Shell.tsx
export const allShortcuts = 'all shortcuts';
export const closeNavigation = 'close navigation';
export const goTo = (label: string) => `go to ${label}`;
export const skipToContent = 'Skip to content';
// Texts of SignInAgain.tsx
export const confirmYourIdentity = 'Confirm your identity';
export const signInAgainHint = (name: string) =>
  `This action needs a recent sign-in, because it cannot be undone or its effect outlasts your session. Sign in with ${name} again. You return to this page, and can then repeat the action.`;
export const signInOnThePage =
  'This action needs a recent sign-in, because its effect outlasts your session. Sign in again. You return to this page, and can then repeat the action.';
export const signInAgain = 'Sign in again';
export const cancel = 'Cancel';
export const continueWith = (name: string) => `Continue with ${name}`;
// Texts of Wrong.tsx
export const thePage = 'The page';
export const pageNotFound = 'Page not found';
export const goToTheStartPage = 'Go to the start page';
export const theUrlMayBe = 'The URL may be mistyped, or belong to another version of the server.';
export const goBack = 'Go back';
// mounts/RolesOf.tsx
export const mount = 'Mount';
// palette/Palette.tsx
export const search = 'Search or run a command';
export const aWorkspaceRolePolicy = 'A workspace, role, policy, team or page';
export const results = 'Results';
export const noResultsTheSearch =
  'No results. The search finds workspaces, roles, policies, teams and pages that you can see, by their names.';
export const select = 'select';
export const open = 'open';
export const result = 'result';
export const unavailable = 'unavailable';
// palette/places.ts
export const needsAToken = (side?: string) =>
  side === 'access' ? 'needs a token of the access API' : 'needs a token of the workspace API';
// palette/use-found.ts
export const recent = 'Recent';
export const goTo2 = 'Go to';
export const actionsFor = (name = '') => `Actions for ${name}`;
export const moreResults = 'More results';
// palette/workspace-items.ts
export const lockedBy = (holder: string) => `locked by ${holder}`;
export const heldBy = (holder = '') => `held by ${holder}`;
export const startARun = 'Start a run…';
export const lock = 'Lock…';
export const unlock = 'Unlock…';
export const notLocked = 'not locked';
export const stateVersions = 'State versions';
export const variables = 'Variables';
export const lockHistory = 'Lock history';
export const copyAsCommand = 'Copy as command';
// Texts of places.ts
export const overview = 'Overview';
export const runs = 'Runs';
export const explorer = 'Explorer';
export const projects = 'Projects';
export const teams = 'Teams';
export const variableSets = 'Variable sets';
export const agents = 'Agents';
export const settings = 'Settings';
export const certificateInspector = 'Certificate inspector';
export const machineIdentities = 'Machine identities';
export const roles = 'Roles';
export const crls = 'CRLs';
export const mounts = 'Mounts';
export const policies = 'Policies';
export const tokens = 'Tokens';
export const identities = 'Identities';
export const myToken = 'My token';
export const server = 'Server';
export const auditLog = 'Audit log';
export const health = 'Health';
export const users = 'Users';
