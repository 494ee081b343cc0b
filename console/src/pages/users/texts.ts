/** Texts of the users page. */
// Texts of NewUserDialog.tsx
export const newUser = 'New user';
export const createUser = 'Create user';
export const enterANameAnd = 'Enter a name and an email address';
export const name = 'Name';
export const email = 'Email';
export const invitationsToThisEmail = 'Invitations to this email address are accepted.';
export const siteAdministrator = 'Site administrator';
export const canCreateUsersAnd = 'Can create users, and tokens for any user.';
// Texts of UserMenu.tsx
export const endTheSessionsOf = 'End the sessions of';
export const endSessions = 'End sessions';
export const allBrowsersInWhich = 'All browsers in which the user is signed in are signed out. Tokens stay valid.';
export const suspend = 'Suspend';
export const theTokensOfThe =
  'The tokens of the user stop working and their sessions end. Nothing is deleted: you can activate the user again.';
export const activate = 'Activate';
export const theTokensOfThe2 = 'The tokens of the user work again.';
export const makeASiteAdministratorOf = 'Make a site administrator of';
export const makeAdministrator = 'Make administrator';
export const aSiteAdministratorCan =
  'A site administrator can create users, tokens for any user, and other administrators.';
export const removeTheAdministratorRoleOf = 'Remove the administrator role of';
export const removeRole = 'Remove role';
export const thePermissionsOfThe = 'The permissions of the user in organizations do not change.';
export const youCannotChangeYour = 'you cannot change your own account: ask another administrator';
export const actionsFor = (username: string) => `Actions for ${username}`;
export const theUserIsSuspended = 'the user is suspended';
export const newToken = 'New token…';
export const endYourOwnSessions = 'end your own sessions on your account page';
export const endSessions2 = 'End sessions…';
export const removeAdministratorRole = 'Remove administrator role…';
export const makeSiteAdministrator = 'Make site administrator…';
export const activate2 = 'Activate…';
export const suspend2 = 'Suspend…';
export const doneFor = (action: string, name: string) => `${action}: done for ${name}`;
export const createATokenFor = (username: string) => `Create a token for ${username}?`;
export const createToken = 'Create token';
export const anyoneWhoHoldsThe = (username: string) =>
  `Anyone who holds the token acts as ${username}. The audit log records who created it. Existing tokens stay valid.`;
// Texts of UsersPage.tsx
export const server = 'Server';
export const users = 'Users';
export const user = 'user';
export const aUserIsA =
  'A user is a person with an account on this server. Organizations and teams give users their permissions.';
export const newUser2 = 'New user…';
export const tokenOf = (username: string) => `token of ${username}`;
export const findAUser = 'Find a user';
export const partOfAName = 'Part of a name or email address';
export const quickFilters = 'Quick filters';
export const theSiteAdministratorRole =
  'the site administrator role: another administrator or the operator can give it to you';
export const noUsersMatch = 'No users match';
export const showAllUsers = 'Show all users';
export const changeTheSearchOr = 'Change the search or remove the filters.';
// Texts of columns.tsx
export const state = 'State';
export const suspended = 'suspended';
export const active = 'active';
export const role = 'Role';
export const siteAdministrator2 = 'site administrator';
export const actions = 'Actions';
export const passkeys = 'Passkeys…';
export const passkeysOf = (username: string) => `Passkeys of ${username}`;
