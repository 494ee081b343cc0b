/** Texts of the frame: navigation, top bar, command palette, and pages for errors. */
export const texts = {
  // Texts of Bar.tsx
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  navigation: 'Navigation',
  breadcrumbs: 'Breadcrumbs',
  keysOfThisPage: 'Keyboard shortcuts',
  theme: (value: string) => `Theme: ${value}`,
  // Texts of Half.tsx
  access: 'Access',
  workspaces: 'Workspaces',
  signInToOpen: (api: string) => `Sign in to ${api} to open this page`,
  signInTo: (side: string) => `Sign in to ${side}`,
  theWorkspaceApi: 'the workspace API',
  theAccessApi: 'the access API',
  signedInToOther: (api: string) =>
    `You are signed in to ${api} only. You stay signed in there when you also sign in here.`,
  // Texts of KeysDialog.tsx
  close: 'Close',
  // Texts of Missing.tsx
  why: 'Why?',
  // Texts of OrganizationSwitch.tsx
  organization: 'Organization:',
  organizations: 'Organizations',
  allOrganizations: 'All organizations',
  // Texts of Rail.tsx
  console: 'Console',
  ofWorkspaces: 'workspaces',
  ofAccess: 'access',
  lockkeeper: 'Lockkeeper',
  signInTo2: (label: string) => `Sign in to ${label}`,
  signedInAs: 'Signed in as',
  until: ', until',
  signingOut: 'Signing out…',
  signOut: 'Sign out',
  byCertificate: (side: string) => `${side} by certificate`,
  as: (side: string, kind: string) => `${side} as ${kind}`,
  // Texts of Shell.tsx
  allShortcuts: 'all shortcuts',
  closeNavigation: 'close navigation',
  goTo: (label: string) => `go to ${label}`,
  skipToContent: 'Skip to content',
  // Texts of SignInAgain.tsx
  confirmYourIdentity: 'Confirm your identity',
  signInAgainHint: (name: string) =>
    `This action needs a recent sign-in, because it cannot be undone or its effect outlasts your session. Sign in with ${name} again. You return to this page, and can then repeat the action.`,
  cancel: 'Cancel',
  continueWith: (name: string) => `Continue with ${name}`,
  // Texts of Wrong.tsx
  thePage: 'The page',
  pageNotFound: 'Page not found',
  goToTheStartPage: 'Go to the start page',
  theUrlMayBe: 'The URL may be mistyped, or belong to another version of the server.',
  goBack: 'Go back',
  // mounts/RolesOf.tsx
  mount: 'Mount',
  // palette/Palette.tsx
  search: 'Search or run a command',
  aWorkspaceRolePolicy: 'A workspace, role, policy, team or page',
  results: 'Results',
  noResultsTheSearch:
    'No results. The search finds workspaces, roles, policies, teams and pages that you can see, by their names.',
  select: 'select',
  open: 'open',
  result: 'result',
  unavailable: 'unavailable',
  // palette/places.ts
  needsAToken: (side?: string) =>
    side === 'access' ? 'needs a token of the access API' : 'needs a token of the workspace API',
  // palette/use-found.ts
  recent: 'Recent',
  goTo2: 'Go to',
  actionsFor: (name = '') => `Actions for ${name}`,
  moreResults: 'More results',
  // palette/workspace-items.ts
  lockedBy: (holder: string) => `locked by ${holder}`,
  heldBy: (holder = '') => `held by ${holder}`,
  startARun: 'Start a run…',
  lock: 'Lock…',
  unlock: 'Unlock…',
  notLocked: 'not locked',
  stateVersions: 'State versions',
  variables: 'Variables',
  lockHistory: 'Lock history',
  copyAsCommand: 'Copy as command',
  // Texts of places.ts
  overview: 'Overview',
  runs: 'Runs',
  projects: 'Projects',
  teams: 'Teams',
  variableSets: 'Variable sets',
  agents: 'Agents',
  settings: 'Settings',
  certificateInspector: 'Certificate inspector',
  machineIdentities: 'Machine identities',
  roles: 'Roles',
  crls: 'CRLs',
  mounts: 'Mounts',
  policies: 'Policies',
  tokens: 'Tokens',
  identities: 'Identities',
  myToken: 'My token',
  server: 'Server',
  auditLog: 'Audit log',
  health: 'Health',
  users: 'Users',
};
