/** Texts of the jwt page. */
// Texts of ConfigurationPage.tsx
export const configuration = 'Configuration';
export const noIssuerIsConfigured = 'No issuer is configured yet. Until then no login can succeed.';
export const issuerOfAcceptedTokens = 'Issuer of accepted tokens, and its keys.';
export const theConfiguration = 'The configuration';
export const configuredAuth = (mount: string) => `Configured auth/${mount}`;
export const noChanges = 'No changes';
export const requiresUpdateOnAuthConfig = (mount: string) => `Requires update on auth/${mount}/config`;
export const save = 'Save';
export const saved = 'Saved';
export const validation = 'Validation';
export const theIssuerOfOidc = 'the issuer of oidc_discovery_url';
export const anyValue = 'any value';
export const requiredValueOfIssEmpty = (fallback: string) => `Required value of iss. Empty: ${fallback}.`;
export const signatureAlgorithmsOneOn =
  'Signature algorithms, one on each line. Empty: RS, PS and ES with 256, 384 and 512, and EdDSA.';
export const roleOfLoginsThat = 'Role of logins that name none.';
export const storesTheConfigurationEven = 'Stores the configuration even if the keys cannot be fetched now.';
// Texts of Frame.tsx
export const roles = 'Roles';
export const tokenInspector = 'Token inspector';
export const access = 'Access';
// Texts of InspectPage.tsx
export const showsWhichRolesWould =
  'Shows which roles would accept a token, and why others refuse it. Nothing is logged in or stored.';
export const token = 'Token';
export const inspectAnother = 'Inspect another…';
export const role = 'Role';
export const checksOnlyThisRole = 'Checks only this role. Leave empty to check the first hundred.';
export const theVerdicts = 'The verdicts';
export const thisIsNotAToken = 'This is not a token';
export const configurationOfAuth = (mount: string) => `Configuration of auth/${mount}`;
export const createARoleFor = 'Create a role for this token…';
export const alias = 'Alias';
export const evaluated = ', evaluated';
export const evaluated2 = 'Evaluated';
export const forALoginAt = 'for a login at';
export const aLoginWithoutA = (error: string) => `A login without a role name is still refused: ${error}`;
export const valid = 'valid';
export const notValid = 'not valid';
export const theToken = 'The token itself';
// Texts of KeyPlaces.tsx
export const issuerKeys = 'Issuer keys';
export const source = 'Source';
export const youHaveNoPermission = 'You have no permission to change this';
export const urlOfTheIssuer =
  'URL of the issuer, as in the iss claim of its tokens. The discovery document below this URL names the keys.';
export const publicKeysOneAfter =
  'Public keys, one after the other. The issuer cannot withdraw keys that are stored here.';
export const removeUrl = (which: string) => `Remove URL${which}`;
export const addUrl = 'Add URL';
export const caCertificatesPemThat =
  'CA certificates (PEM) that verify the server of this URL, in addition to those of the system.';
// Texts of RolePage.tsx
export const inspectAToken = 'Inspect a token';
export const newRole = 'New role';
export const filledInFromThe = 'Filled in from the inspected token. Bind claims that only your own pipelines have.';
export const definesWhichTokensAuthAccepts = (mount: string) => `Defines which tokens auth/${mount} accepts.`;
// Texts of RolesPage.tsx
export const rolesOfAuthWhich = (mount: string) =>
  `Roles of auth/${mount}: which tokens each role accepts, and which policies it gives.`;
export const noRolesYet = 'No roles yet';
export const aRoleSaysWhich =
  'A role says which tokens may log in. Without a role no login succeeds. Create one, for example:';
export const name = 'Name';
export const acceptedTokens = 'Accepted tokens';
export const audiences = 'Audiences';
export const policies = 'Policies';
export const tokenLifetime = 'Token lifetime';
export const defaultOfTheMount = 'default of the mount';
export const anyTokenWithTheAudience = 'any token with the audience';
// Texts of config.ts
export const discoveryDocumentBelowThe = 'discovery document below the issuer URL';
export const oneOrSeveralJwksUrls = 'one or several JWKS URLs';
export const pemKeysInThisForm = 'PEM keys in this form';
// Texts of fields.ts
export const claimNamesOrJson = 'Claim names, or JSON pointers such as /a/b; one on each line.';
export const theAudClaimMust = 'The aud claim must contain one of these. Empty: tokens with an audience are refused.';
export const requiredValueOfSub = 'Required value of sub. Empty: any value.';
export const claimValueOrSeveral = (cLAIMS: string) =>
  `claim = value, or several: ref = ["main", "release"]. Quote texts that look like numbers. ${cLAIMS}`;
export const whetherInBoundClaims = 'Whether * in bound_claims matches any characters.';
export const stringExactMatch = 'string: exact match';
export const globMatchesAnyCharacters = 'glob: * matches any characters';
export const identity = 'Identity';
export const claimThatNamesThe = 'Claim that names the alias of the client.';
export const userClaimIsA = 'user_claim is a JSON pointer.';
export const claimThatNamesExternalGroups = 'Claim that names external groups.';
export const claimKeyInThe = (cLAIMS: string) => `claim = key in the metadata of tokens. ${cLAIMS}`;
export const clockTolerance = 'Clock tolerance';
export const seconds0OneMinute = 'Seconds. 0: one minute; -1: none.';
export const forTokensWithoutExp = 'For tokens without exp. Seconds. 0: 150; -1: none.';
export const forTokensWithoutNbf = 'For tokens without nbf and iat. Seconds. 0: 150; -1: none.';
export const secondsAPeriodicToken = 'Seconds. A periodic token can be renewed without limit.';
export const numberOfRequests0Unlimited = 'Number of requests. 0: unlimited.';
export const omitsThePolicyNamedDefault = 'Omits the policy named default.';
