/** Texts of the account page. */
// Texts of AccountPage.tsx
export const system = 'system';
export const light = 'light';
export const dark = 'dark';
export const myAccount = 'My account';
export const thisSession = 'This session';
export const workspaces = 'Workspaces';
export const access = 'Access';
export const expires = 'Expires';
export const role = 'Role';
export const siteAdministrator = 'site administrator';
export const policies = 'Policies';
export const noUserIsSignedIn = 'No user is signed in.';
export const aUser = 'a user';
export const aTeam = 'a team';
export const anOrganization = 'an organization';
export const signedInAs = (name: string, kind: string) => `Signed in as ${name}${kind}.`;
export const until = (end: string) => `, until ${end}`;
export const yourAccount = 'Your account';
export const account = 'Account';
export const name = 'Name';
export const email = 'Email';
export const unconfirmedEmail = 'Unconfirmed email';
export const theOperatorMustConfirmIt = (unconfirmedEmail: string) =>
  `${unconfirmedEmail} (the operator must confirm it)`;
export const memberOf = 'Member of';
export const organizations = 'organizations';
export const myTokens = 'My tokens';
export const aTokenActsWith = 'A token acts with all your permissions. Keep it secret.';
export const appearance = 'Appearance';
export const theme = 'Theme';
export const timeZone = 'Time zone';
export const currentTimeThisBrowser = (now: string) => `Current time: ${now}. This browser stores the choice.`;
export const utc = 'UTC';
export const thisComputer = 'this computer';
// Texts of Sessions.tsx
export const otherSessionsEnded = 'Other sessions ended';
export const mySessions = 'My sessions';
export const endingSessions = 'Ending sessions…';
export const endAllOtherSessions = 'End all other sessions';
export const browsersInWhichYou =
  'Browsers in which you are signed in. If you do not recognize a session, end it and change your credentials.';
export const yourSessions = 'Your sessions';
export const noSessions = 'No sessions.';
export const at = (browser: string, address: string) => `${browser} at ${address}`;
export const browser = 'Browser';
export const thisBrowser = ' (this browser)';
export const lastUsed = 'Last used';
export const used = 'used';
export const ago = 'ago';
export const expiresIfUnused = (idleAt: string) => `Expires ${idleAt} if unused`;
export const expires2 = (expiresAt: string) => `expires ${expiresAt}`;
export const actions = 'Actions';
export const end = 'End';
export const session = (session: string) => `session ${session}`;
export const thatBrowserIsSigned = 'That browser is signed out with its next request.';
// Texts of browser-name.ts
export const unknownBrowser = 'Unknown browser';
export const on = (name: string, system: string) => `${name} on ${system}`;
