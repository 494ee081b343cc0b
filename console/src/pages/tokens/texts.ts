/** Texts of the tokens page. */
// Texts of LeasesPage.tsx
export const leases = 'Leases';
export const noLeasesBelowThisPath = 'No leases below this path';
export const eachTokenThatExpires = 'Each token that expires has a lease below the path at which it was created.';
export const path = 'Path';
export const allPaths = 'all paths';
export const tokenRevoked = 'Token revoked';
export const lease = 'Lease';
export const theLease = 'The lease';
export const created = 'Created';
export const expires = 'Expires';
export const renewed = 'Renewed';
export const revokeToken = 'Revoke token…';
export const revokeTheTokenOf = 'Revoke the token of this lease';
export const revokeToken2 = 'Revoke token';
export const thisRevokesTheToken = 'This revokes the token and all tokens created with it.';
export const tokensRevoked = 'Tokens revoked';
export const revokeAllBelowThisPath = 'Revoke all below this path…';
export const revokeAllBelow = (path: string) => `Revoke all below ${path}`;
export const revokeAll = 'Revoke all';
export const typeThePathToConfirm = 'Type the path to confirm';
export const thisRevokesEveryToken =
  'This revokes every token with a lease at or below this path, and all tokens created with them.';
// Texts of Left.tsx
export const never = 'never';
// Texts of NewTokenPage.tsx
export const access = 'Access';
export const tokens = 'Tokens';
export const newText = 'New';
export const newToken = 'New token';
export const thePoliciesOfA =
  'The policies of a token define its permissions. Without sudo on auth/token/create, you can only give policies that you have yourself.';
export const token = 'token';
export const accessorIdentifiesTheToken = 'The accessor identifies the token without giving its permissions:';
export const accessor = 'accessor';
export const openToken = 'Open token';
export const createToken = 'Create token';
export const displayName = 'Display name';
export const policies = 'Policies';
export const separatedByCommasEmpty = 'Separated by commas. Empty: the policies of your token.';
export const lifetime = 'Lifetime';
export const forExample1h30m = 'For example 1h, 30m or 7d. Empty: server default.';
export const type = 'Type';
export const serviceStoredCanBe = 'service: stored, can be renewed and revoked';
export const batchNotStoredExpires = 'batch: not stored, expires at its time';
export const maximumUses = 'Maximum uses';
export const numberOfRequestsThat = 'Number of requests that may use the token. Empty: no limit.';
export const tokenRole = 'Token role';
export const aTokenRoleCan = 'A token role can allow policies that you do not have yourself. Empty: no role.';
export const orphan = 'Orphan';
export const theTokenRoleDefinesThis = 'The token role defines this';
export const youHaveNoPermission = 'You have no permission to create other tokens';
export const otherwiseTheTokenIs =
  "An orphan stays valid after this session's token is revoked. Any other child token is revoked with it.";
// Texts of TokenDetailsPage.tsx
export const token2 = (accessor: string) => `Token ${accessor}`;
export const requestCheck = 'Request check';
export const noChildTokens = 'no child tokens';
export const revokingItAlsoRevokes = (tokens: string) => `revoking it also revokes ${tokens}`;
export const orphan2 = ', orphan';
export const token3 = (type: string, value: string, ends: string) => `${type} token${value}, ${ends}`;
export const orMore = (tokens: string) => `${tokens} or more`;
export const accessor2 = 'Accessor';
export const policiesOfItsEntity = 'Policies of its entity';
export const createdAt = 'Created at';
export const parent = 'Parent';
export const entity = 'Entity';
export const renewable = 'Renewable';
export const remainingUses = 'Remaining uses';
export const allowedIpAddresses = 'Allowed IP addresses';
export const revoke = 'Revoke…';
export const revoke2 = (name: string) => `Revoke ${name}`;
export const revoke3 = 'Revoke';
export const theTokenIsRevoked = 'The token is revoked immediately. No other tokens were created with it.';
export const theTokenIsRevoked2 = (tokens: string) =>
  `The token is revoked immediately, together with ${tokens} created with it.`;
// Texts of TokenRolePage.tsx
export const tokenRole2 = (name: string) => `Token role ${name}`;
export const tokenRole3 = 'token role';
export const requiresUpdateOn = (path: string) => `Requires update on ${path}`;
export const newTokenRole = 'New token role';
export const aTokenRoleAllows =
  'A token role allows its users to create tokens with policies that they do not have themselves.';
export const name = 'Name';
export const enterAName = 'Enter a name';
export const tokenRoles = 'Token roles';
export const allowedPolicies = 'Allowed policies';
export const allowedPoliciesMatchesAnyCharacters = 'Allowed policies; * matches any characters.';
export const disallowedPolicies = 'Disallowed policies';
export const disallowedPoliciesMatchesAnyCharacters = 'Disallowed policies; * matches any characters.';
export const allowedIpAddressesOfClients = 'Allowed IP addresses of clients';
export const saved = 'Saved';
export const save = 'Save';
export const createTokenRole = 'Create token role';
export const disallowed = 'Disallowed';
export const allowed = 'Allowed';
export const patternsOf = (value: string) => `${value} policy patterns`;
export const tokenType = 'Token type';
export const period = 'Period';
export const lifetimeThatEachRenewal = 'Lifetime that each renewal gives. Empty: tokens are not periodic.';
export const maximumLifetime = 'Maximum lifetime';
export const appliesToAllRenewals = 'Applies to all renewals together. Empty: server default.';
export const deleted = (name: string) => `${name} deleted`;
export const deleteText = 'Delete…';
export const deleteText2 = (name: string) => `Delete ${name}`;
export const deleteTokenRole = 'Delete token role';
export const itsTokensStayValid = 'Its tokens stay valid until they expire, but cannot be renewed.';
// Texts of TokenRolesPage.tsx
export const role = 'role';
export const noTokenRolesYet = 'No token roles yet';
export const aTokenRoleAllows2 =
  'A token role allows its users to create tokens with policies that they do not have themselves. Create one, for example:';
// Texts of TokensFrame.tsx
export const wrapping = 'Wrapping';
// Texts of TokensPage.tsx
export const expiresIn = 'Expires in';
export const orMore2 = ' or more';
export const noTokensYet = 'No tokens yet';
export const loginsCreateTokensYou = 'Logins create tokens. You can also create one, for example:';
export const lookUp = 'Look up';
// Texts of WrappingPage.tsx
export const aWrappingTokenHands =
  'A wrapping token hands over a secret and can be used once. If it is already used when the recipient unwraps it, someone else has read the secret.';
export const wrap = 'Wrap';
export const wrappingToken = 'wrapping token';
export const enterAJsonObject = 'Enter a JSON object';
export const data = 'Data';
export const aJsonObject = 'A JSON object.';
export const enterAWrappingToken = 'Enter a wrapping token';
export const lookUpUnwrapRewrap = 'Look up, unwrap, rewrap';
export const unwrap = 'Unwrap';
export const rewrap = 'Rewrap';
export const wrappingToken2 = 'Wrapping token';
export const aLookupDoesNot = 'A lookup does not use up the token. Unwrap does.';
export const hide = 'Hide';
