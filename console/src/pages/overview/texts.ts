/** Texts of the overview page. */
// Texts of Aside.tsx
export const activityIn = (name: string) => `Activity in ${name}`;
export const activity = 'Activity';
export const lastChangesIn = (name: string) => `Last changes in ${name}`;
export const lastChanges = 'Last changes';
export const wasLockedBy = (holder: string) => `locked by ${holder}`;
export const hasARun = (status: string) => `run ${status}`;
export const wasChanged = 'changed';
export const runsInProgress = 'Runs in progress';
export const queuedRuns = 'Queued runs';
export const workspaces = 'Workspaces';
export const server = 'Server';
export const ready = 'Ready';
export const yes = 'yes';
export const no = (message: string) => `no: ${message}`;
export const version = 'Version';
export const firstSteps = 'First steps';
// Texts of OverviewPage.tsx
export const overview = 'Overview';
export const itemsNeedAttention = (items: number) =>
  items === 1 ? '1 item needs attention' : `${items} items need attention`;
export const runsLocksTokensCrls = 'Runs, locks, tokens, CRLs and roles that need attention.';
export const theItemsThatNeedAttention = 'The items that need attention';
export const nothingToDo = 'Nothing to do';
export const noRunIsWaiting =
  'No run is waiting or has failed, no lock is older than a day, and nothing expires within 30 days.';
export const organization = 'organization';
export const onlyTheFirstOf = (covered: number, organizations: string) =>
  `Only the first ${covered} of ${organizations} are covered.`;
export const showAllOrganizations = 'Show all organizations';
// Texts of access-needs.ts
export const auditDevice = (path: string) => `audit sink ${path}`;
export const thisIsNotWritable = (type: string, description: string) => `this ${type} is not writable: ${description}`;
export const role = (name: string) => `role ${name}`;
export const itsCaExpiresOn = (subject: string, until: string) => `its CA ${subject} expires on ${until}`;
export const showRole = 'Show role';
export const loginsThatNeedIt = '; logins that need it are refused';
export const itIsStillUsed = '; it is still used';
export const thisCrlIsPast = (duration: string, effect: string) =>
  `this CRL is ${duration} past its next update${effect}`;
export const itsSignatureIsNotValid = 'its signature is not valid';
export const cannotBeFetched = (lastError: string) => `cannot be fetched: ${lastError}`;
export const showCrl = 'Show CRL';
// Texts of lock-needs.tsx
export const byHolder = (holder = '') => `by ${holder}`;
export const withoutAReason = ', without a reason';
export const showLock = 'Show lock';
// Texts of need.ts
export const waitingForConfirmation = 'Waiting for confirmation';
export const broken = 'Broken';
export const lockedForMoreThan = 'Locked for more than a day';
export const expiringSoon = 'Expiring soon';
export const next30Days = 'next 30 days';
// Texts of run-needs.tsx
export const showRun = 'Show run';
export const showLog = 'Show log';
export const review = 'Review';
export const applying = 'applying';
export const planning = 'planning';
export const erroredWhile = (phase: string) => `errored while ${phase}`;
export const toImport = 'to import';
export const toAdd = 'to add';
export const toChange = 'to change';
export const toDestroy = 'to destroy';
// Texts of token-needs.ts
export const aTeamToken = 'a team token';
export const tokenOf = (team: string) => `token of ${team}`;
export const expiresOn = (until: string) => `expires on ${until}`;
export const neverUsed = 'never used';
// Texts of use-access-needs.ts
export const showHealth = 'Show health';
