/** Texts of the sign in page. */
// Texts of SignInPage.tsx
export const yourBrowserPresentedNo = 'Your browser presented no certificate, or no role accepts it.';
export const theProviderDoesNot =
  'The provider does not answer. Try again in a minute, or sign in with a token; the operator can give you one.';
export const theProviderDeniedThe = 'The provider denied the sign-in. Contact its administrator.';
export const theResponseOfThe =
  'The response of the provider is not valid. Try again; if it fails again, contact the operator.';
export const theSignInTook = 'The sign-in took too long, or started in another browser. Start again.';
export const theProviderKnowsYou =
  'The provider knows you, but you have no account here. Ask for an invitation to your email address.';
export const anotherUserHasYour = 'Another user has your email address. Sign in with a token, or ask the operator.';
export const yourAccountIsSuspended = 'Your account is suspended. A site administrator can activate it again.';
export const youSignedInAt =
  'You signed in at the provider as a different user. Sign in there with the right account, or sign out here first.';
export const thisOrganizationHasNo =
  'This organization has no identity provider. Check the spelling of its name, or sign in with a token.';
export const theOrganizationHasReached =
  'The identity provider of the organization has reached its maximum number of users. Contact the owners of the organization.';
export const theProviderDidNot =
  'The provider did not ask you to sign in again, or does not report when you did. Contact the operator.';
export const youAreInToo =
  'You are in too many groups for the provider to list them. Ask the operator to configure the provider to send fewer.';
export const signIn = 'Sign in';
export const to = 'to';
export const forText = (side: string) => `, for ${side}`;
export const theServer = 'The server';
export const yourSessionHasEnded = 'Your session has ended. ';
export const youComeBackTo = 'You come back to';
export const lockkeeper2 = (version: string) => `Lockkeeper ${version}`;
export const continueWith = (name: string) => `Continue with ${name}`;
export const or = 'or';
export const signingIn = 'Signing in…';
export const continueWithACertificate = 'Continue with a certificate';
export const yourBrowserAsksWhich =
  'Your browser asks which certificate to present. The private key does not leave your computer.';
export const continueWithAPasskey = 'Continue with a passkey';
export const passkeysWorkAt = 'Browsers do not accept passkeys at this address. Use them at';
export const theLinkWorksOnce =
  'This link works once, for 15 minutes, and only on the machine of the server. Use a token that the demo prints, or start the demo again for a new link.';
export const token = 'Token';
export const opensAccess = 'opens access';
export const opensWorkspaces = 'opens workspaces';
export const exchanged =
  '. The console exchanges the token for one that expires with the session, where possible, and does not store it.';
export const continueWithTheToken = 'Continue with the token';
export const signInWithThe = 'Sign in with the identity provider of your organization';
export const organization = 'Organization';
export const enterTheNameExactly = 'Enter the name exactly as it is here. You continue at its identity provider.';
export const continueWithTheIdentityProvider = 'Continue with the identity provider';
export const ready = (sides: string, value: string) => `${sides} ${value} ready`;
