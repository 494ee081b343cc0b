/** Texts of the version control settings. */
export const versionControl = 'Version control';
export const partsOfVersionControl = 'Parts of version control';
// Connections
export const connections = 'Connections';
export const connectAProvider = 'Connect a provider';
export const connectionsToProviders =
  'Workspaces follow repositories of a provider through a connection. Tokens are stored encrypted and never shown.';
export const noConnectionsYet = 'No connections yet. Connect a provider, so that pushes and pull requests start runs.';
export const name = 'Name';
export const health = 'Health';
export const account = 'Account';
export const tokenExpires = 'Token expires';
export const token = 'Token';
export const expires = (day: string) => `expires ${day}`;
export const workspaces = 'Workspaces';
export const since = 'since';
export const ago = 'ago';
export const notStated = 'not stated';
export const works = 'Works';
export const refused = 'Refused';
export const unreachable = 'Unreachable';
export const notChecked = 'Not checked';
export const tooWide = (scopes: string) => `wider than needed: ${scopes}`;
// GitHub App
export const githubApp = 'GitHub App';
export const installation = 'installation of the GitHub App';
export const theAppAsks =
  'The App of this organization reads the repositories for which it is installed. Its tokens expire after an hour and belong to no user.';
export const installTheApp = 'Install the App at GitHub';
export const linkInstallations = 'Link installations';
export const noInstallationsYet = 'No installation is linked yet. Install the App at GitHub, then link it here.';
export const deleteText = 'Delete';
export const appNamed = (app: string) => `GitHub App ${app}`;
export const theAppAtGitHubStays = (affected: string) =>
  `Its installations are unlinked here. ${affected} The App itself stays at GitHub: delete it there, too.`;
export const actions = 'Actions';
// Health
export const checkNow = 'Check now';
export const checked = 'Last check';
export const checkedNow = (state: string) => `Checked: ${state}`;
export const reason = 'Reason';
export const never = 'never';
// Wizard
export const stepsOfConnecting = 'Steps';
export const stepOf = (step: number, label: string) => `Step ${step} of 4: ${label}`;
export const stepProvider = 'Provider';
export const stepServer = 'Server';
export const stepCredential = 'Credential';
export const stepResult = 'Check';
export const serverOfYourOwn = 'a server of your own';
export const codebergOrAServer = 'Codeberg, or a server of your own';
export const anyServerByPolling = 'any other server, by polling';
export const chooseAProvider = 'Choose the provider that has your repositories.';
export const back = 'Back';
export const continueText = 'Continue';
export const nameOfTheConnection = 'Shown where users choose a connection. Leave empty for the name of the provider.';
export const url = 'URL';
export const apiUrl = 'API URL';
export const urlOfTheServer = (product: string) => `URL of ${product} as this server reaches it.`;
export const apiUrlFollows = 'Derived from the URL. Change it if the API is elsewhere.';
export const fixedUrl = 'The same for everybody.';
export const serverOfTheCredential = 'Server that gets the credential';
export const findAProject = 'Find a project';
export const ofAnotherOrganization = 'The connection belongs to another organization';
export const tenant = 'Microsoft Entra tenant';
export const idOfTheDirectory = 'Directory (tenant) ID. Leave empty for every organization.';
export const withTheCollection = 'URL with the collection, as this server reaches it: https://HOST/COLLECTION.';
export const orOfOneOrganization = 'For a token of one organization: https://dev.azure.com/ORGANIZATION.';
export const enterTheUrl = 'Enter an http or https URL without credentials';
export const howToConnect = 'Connect with';
export const ways = {
  token: 'Access token',
  oauth: 'OAuth application',
  app: 'GitHub App',
} as const;
export const aboutWays = {
  token: 'A token of an account or project. Ready at once; you replace it before it expires.',
  oauth: 'You sign in at the provider. This server renews the token by itself.',
  app: 'Recommended. It belongs to no user, and you choose the repositories at GitHub.',
} as const;
export const atTheProvider = (product: string) => `At ${product}`;
export const openThePage = (product: string) => `Open the page at ${product}`;
export const opensInANewTab = '(opens in a new tab)';
export const scopesToChoose = 'Scopes and permissions';
export const scope = 'scope';
export const useAServiceAccount =
  'Use a service account if you can: users who choose repositories here can read what the account can read.';
export const accessToken = 'Access token';
export const enterTheToken = 'Enter the access token';
export const userAndPassword = 'User name and password, or token';
export const storedEncrypted = 'Stored encrypted and never shown.';
export const connectAndCheck = 'Connect and check';
export const callbackUrl = 'Callback URL';
export const callbackUrl2 = 'callback URL';
export const urlOfThisServer = 'URL of this server';
export const urlOfThisServer2 = 'URL of this server';
export const theCallbackUrlFollows =
  'The provider asks for a callback URL, which belongs to the connection. Create the connection first; it works after the sign-in.';
export const createConnection = 'Create connection';
export const enterBoth = (key: string, secret: string) => `Enter ${key} and ${secret}`;
export const saveAndSignIn = (product: string) => `Save and sign in at ${product}`;
export const youComeBack = (product: string) =>
  `Next you sign in at ${product} and come back here. Only a user can do this, within 10 minutes.`;
export const appSteps = [
  'GitHub shows the App with the permissions that this server needs. You confirm, and come back.',
  'You install the App and choose the repositories.',
  'You sign in at GitHub, which proves the installations that you may use.',
] as const;
export const permissionsOfTheApp =
  'Permissions: Contents and Metadata read; Checks, Commit statuses and Pull requests read and write.';
export const organizationAtGitHub = 'Organization at GitHub';
export const ownerOfTheApp = 'Owner of the App. Leave empty to create it in your own account.';
export const createTheApp = 'Create the App at GitHub';
export const theAppExists =
  'The organization has a GitHub App already. Install it for more repositories, and link the installation.';
export const theConnectionWorks = 'The connection works. Workspaces can follow repositories now.';
export const theCheckFailed =
  'The provider did not accept the connection. Correct the credential or the URLs, then check again.';
export const theProviderIsAway =
  'The provider does not answer. Check the URLs and the network. The server tries again by itself.';
export const notCheckedYet = 'The connection has no result yet. Check it now.';
export const openTheConnection = 'Open the connection';
export const newWorkspace = 'New workspace';
export const addressBlocked =
  'A provider in a private network must be allowed by the operator: vcs.allowed_addresses in the configuration.';
// One connection
export const allConnections = 'All connections';
export const connection = 'Connection';
export const theConnection = 'The connection';
export const replaceToken = 'Replace token…';
export const replaceTheToken = 'Replace the token';
export const replace = 'Replace';
export const replacedToken = 'Replaced the token';
export const workspacesStay = 'Workspaces stay connected. The new token is checked at once.';
export const signInAgain = (product: string) => `Sign in at ${product}`;
export const continueSetup = 'Continue the setup';
export const scopesOfTheToken = 'Scopes';
export const notReported = 'not reported by the provider';
export const scopesAreTooWide = (scopes: string) =>
  `The token has scopes that this server never needs: ${scopes}. Anybody who gets the token could do much harm. Replace it with a narrower one.`;
export const unlinkInstallation = 'Unlink';
export const openAtGitHub = 'Open at GitHub';
export const expiresSoon = (day: string) => `The token expires on ${day}. Replace it before, or look-ups will stop.`;
export const expiredOn = (day: string) => `The token expired on ${day}.`;
// Repositories
export const repositories = 'Repositories';
export const repository = 'Repository';
export const noRepositoriesYet = 'No workspace follows a repository through this connection yet.';
export const webhook = 'Webhook';
export const lastLook = 'Last look';
export const lookNow = 'Look now';
export const lookAt = (repository: string) => `Look now at ${repository}`;
export const looksNow = (repository: string) => `The server looks at ${repository} now`;
export const hookMade = 'made by this server';
export const hookWanted = 'not made yet';
export const hookManual = 'by hand';
export const hookNone = 'none: polling';
export const hookRemoved = 'removed';
export const repositoryHealth = {
  ok: 'Works',
  gone: 'Not found',
  forbidden: 'Access refused',
  unreachable: 'Unreachable',
} as const;
// Allowed repositories, projects, name
export const allowedRepositories = 'Allowed repositories';
export const allowedHelp =
  'One identifier or pattern for each line: acme/infra, acme/*, group/**. Leave empty to allow everything that the credential can read.';
export const whoReadsWhat =
  'Users who may create workspaces can read every repository that is allowed here, with the rights of the connection.';
export const saveRepositories = 'Save repositories';
export const saved = 'Saved';
export const availableTo = 'Available to';
export const everyProject = 'every project';
export const selectedProjects = 'selected projects';
export const onlyInTheseProjects = 'Workspaces of other projects cannot use the connection.';
export const projects = 'Projects';
export const project = 'Project';
export const select = 'select';
export const addProject = 'Add project';
export const chooseAProject = 'Choose a project';
export const noProjectsYet = 'No project yet: no workspace can use the connection.';
export const remove = 'Remove';
export const removeProject = (name: string) => `Remove project ${name}`;
export const general = 'General';
export const save = 'Save';
export const deletion = 'Deletion';
export const connectionNamed = (name: string) => `connection ${name}`;
export const nobodyIsAffected = 'No workspace uses it.';
export const areAffected = (workspaces: string) =>
  `${workspaces} lose the connection to their repositories: pushes and pull requests start no more runs there.`;
export const isAffected =
  'One workspace loses the connection to its repository: pushes and pull requests start no more runs there.';
export const tokensAreDeleted = 'Its tokens are deleted here. Revoke them at the provider, too.';
// One repository
export const theRepository = 'The repository';
export const defaultBranch = 'Default branch';
export const openRepository = 'Open at the provider';
export const followedBy = 'Followed by';
export const lookedUp = 'How the server learns of changes';
export const everyTenMinutes = 'By the webhook, and by a look every 10 minutes.';
export const everyMinute = 'By a look every minute.';
export const noDeliveryYet =
  'No delivery has come yet. The provider must reach this server and trust its certificate; many providers deliver only to public addresses.';
export const lastDelivery = 'Last delivery';
export const madeHere = 'This server made the webhook at the provider, and renews it every day.';
export const willBeMade = 'The server makes the webhook with the next look.';
export const byHand =
  'The connection may not make webhooks. Make it at the provider with the URL and a secret below; or give the connection the right, and the server makes it within a day.';
export const byHandContent =
  'Content type: application/json. Events: pushes, tags, pull requests, changes of the repository.';
export const noHookOfApp = 'The GitHub App has no webhook.';
export const noHookHere =
  'The server polls, because a provider cannot reach it or sends no webhooks: a plain Git server, or a server without a public URL (workspaces.address in its configuration).';
export const noLookYet = 'The server has not looked at the repository yet.';
export const noFollowers = 'No workspace follows the repository any more.';
export const problem = 'Problem';
export const newSecret = 'New secret';
export const renewSecret = 'Renew secret';
export const renewedSecret = 'The server updates the webhook at the provider with a new secret';
export const secretOfWebhook = 'secret of the webhook';
export const newSecretHelp = 'A new secret replaces the present one: deliveries with the old one are refused.';
export const webhookUrl = 'URL';
export const webhookUrl2 = 'URL of the webhook';
export const deliveries = 'Deliveries';
export const noDeliveriesYet = 'No deliveries yet.';
export const received = 'Received';
export const says = 'Content';
export const outcome = 'Outcome';
export const tryAgain = 'Try again';
export const tryAgainFor = (id: string) => `Try again: delivery ${id}`;
export const tryAgainHelp =
  'A delivery only asks for a look at the repository. “Try again” looks once more, and finds what is new since.';
// Events
export const events = 'Events';
export const theEvents = 'The events';
export const eventsOfThe =
  'Pushes, tags and pull requests of followed repositories. The server keeps them for 30 days.';
export const noEvents = 'No events in this period.';
export const when = 'When';
export const event = 'Event';
export const sender = 'Sender';
export const runs = 'Runs';
export const ofWorkspaces = (runs: string, workspaces: string) => `${runs} of ${workspaces}`;
export const level = 'Level';
export const allLevels = 'all';
export const info = 'info';
export const error = 'error';
export const period = 'Period';
export const lastDay = 'last 24 hours';
export const lastDays = (days: string) => `last ${days} days`;
export const allOfThem = 'all';
export const filters = 'Filters';
export const showChanges = 'Changes';
export const changesOf = (commit: string) => `changes of ${commit}`;
// Pull requests and statuses
export const pullRequests = 'Pull requests and statuses';
export const plansOfForks = 'Pull requests from forks';
export const forkPlans = 'Plans of forks';
export const forksNever = 'never';
export const forksApproved = 'after approval of each commit';
export const forksNeverEffect = 'Pull requests from forks start no runs.';
export const forksApprovedEffect =
  'A user who may queue runs approves each commit. The run plans without sensitive variables, identity tokens and other states.';
export const forkDanger =
  'A plan executes code of its author: data sources, providers and modules. The author of a fork can be anybody. Read the commit before you approve it. Values of variables that are not sensitive, and what the agent can reach in its network, are open to that code.';
export const reports = 'Reports to the provider';
export const aggregated = 'One status for each commit';
export const aggregatedOn = 'The provider shows one status for all workspaces of this organization.';
export const aggregatedOff =
  'The provider shows one status for each workspace. Events with more than 50 workspaces still get one for all.';
export const passing = 'Passing status for workspaces without a plan';
export const passingEffect =
  'A workspace whose files did not change gets a passing status. Required checks of such workspaces do not hang.';
export const passingNeeds = 'Only with a status for each workspace.';
export const comments = 'Comment with the plans in each pull request';
export const commentsEffect =
  'One comment for each pull request lists workspaces, counts and resource addresses. Readers of the repository see it; it has no values.';
export const speculativePlans = 'Plans of pull requests';
export const cancelOlder = 'Cancel plans of older commits';
export const cancelOlderEffect =
  'A new commit of a pull request cancels its unfinished plans. If off, all of them finish.';
export const saveSettings = 'Save settings';
