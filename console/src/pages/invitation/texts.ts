/** Texts of the page of an invitation. */
export const invitation = 'Invitation';
export const joinThe = (organization: string) => `Join ${organization}`;
export const thisLinkIsNot = 'This link is not valid: it was used, replaced or has expired. Ask for a new one.';
export const theInvitation = 'The invitation';
export const theServer = 'The server';
export const invitedBy = (who: string, end: string) => `${who} invites you. The link works once, until ${end}.`;
export const goToTheStartPage = 'Go to the start page';
export const browsersAcceptNo = 'Browsers do not accept passkeys at this address. To create an account, use';
export const or = 'or';
export const signInWithMyAccount = 'Sign in with my account';
export const signInAsAUser = 'Sign in as a user';
export const acceptAs = (name: string) => `Accept as ${name}`;
export const decline = 'Decline';
export const name = 'Name';
export const othersSeeThisName =
  'Other members see this name. Your browser then asks for a passkey, with which you sign in later: by fingerprint, face, PIN or security key.';
export const firstPasskey = 'First passkey';
export const creating = 'Creating…';
export const createAnAccount = 'Create an account with a passkey';
