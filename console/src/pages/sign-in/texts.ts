/** Texts of the sign in page. */
export const texts = {
  // Texts of Logo.tsx
  lockkeeper: 'Lockkeeper',
  // Texts of SignInPage.tsx
  yourBrowserPresentedNo: 'Your browser presented no certificate, or no role accepts it.',
  theProviderDoesNot:
    'The provider does not answer. Try again in a minute, or sign in with a token; the operator can give you one.',
  theProviderDeniedThe: 'The provider denied the sign-in. Contact its administrator.',
  theResponseOfThe: 'The response of the provider is not valid. Try again; if it fails again, contact the operator.',
  theSignInTook: 'The sign-in took too long, or started in another browser. Start again.',
  theProviderKnowsYou:
    'The provider knows you, but you have no account here. Ask for an invitation to your email address.',
  anotherUserHasYour: 'Another user has your email address. Sign in with a token, or ask the operator.',
  yourAccountIsSuspended: 'Your account is suspended. A site administrator can activate it again.',
  youSignedInAt:
    'You signed in at the provider as a different user. Sign in there with the right account, or sign out here first.',
  thisOrganizationHasNo:
    'This organization has no identity provider. Check the spelling of its name, or sign in with a token.',
  theOrganizationHasReached: 'The organization has reached its maximum number of members. Contact its owners.',
  theProviderDidNot:
    'The provider did not ask you to sign in again, or does not report when you did. Contact the operator.',
  youAreInToo:
    'You are in too many groups for the provider to list them. Ask the operator to configure the provider to send fewer.',
  signIn: 'Sign in',
  to: 'to',
  forText: (side: string) => `, for ${side}`,
  theServer: 'The server',
  yourSessionHasEnded: 'Your session has ended. ',
  youComeBackTo: 'You come back to',
  lockkeeper2: (version: string) => `Lockkeeper ${version}`,
  continueWith: (name: string) => `Continue with ${name}`,
  or: 'or',
  signingIn: 'Signing in…',
  continueWithACertificate: 'Continue with a certificate',
  yourBrowserAsksWhich: 'Your browser asks which certificate to present. The private key does not leave your computer.',
  token: 'Token',
  opensAccess: 'opens access',
  opensWorkspaces: 'opens workspaces',
  exchanged:
    '. The console exchanges the token for one that expires with the session, where possible, and does not store it.',
  continueWithTheToken: 'Continue with the token',
  signInWithThe: 'Sign in with the identity provider of your organization',
  organization: 'Organization',
  enterTheNameExactly: 'Enter the name exactly as it is here. You continue at its identity provider.',
  continueWithTheIdentityProvider: 'Continue with the identity provider',
  ready: (sides: string, value: string) => `${sides} ${value} ready`,
};
