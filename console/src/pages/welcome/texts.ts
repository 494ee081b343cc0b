/** Texts of the first page of a user without an organization. */
export const welcome = 'Welcome';
export const welcomeName = (name: string) => `Welcome, ${name}`;
export const youAreNotA = 'You are not a member of an organization yet. An organization has the workspaces.';
export const yourAccount = 'Your account';
export const joinAnOrganization = 'Join an organization';
export const askForAnInvitation = 'Ask a member who manages its members to invite your email address:';
export const askForALink = 'Ask a member who manages its members for an invitation link.';
export const invitationsAppear = 'An invitation appears at the top of this page. A link works too, for any address.';
export const startYourOwn = 'Start your own';
export const anOrganizationHas = 'You become its owner, and invite others.';
export const createAnOrganization = 'Create an organization';
export const signInWithoutAToken = 'Sign in without a token';
export const registerAPasskey = 'Register a passkey in your account';
