/** Texts of the policies page. */
// Texts of Ask.tsx
export const question = 'Question';
export const request = 'Request';
export const capability = 'Capability';
export const path = 'Path';
export const subject = 'Subject';
export const token = 'token';
export const policy = 'policy';
export const thisDraft = (name: string) => `${name}, this draft`;
export const yourOwn = 'your own';
export const remove = (what: string, value: string) => `Remove ${what} ${value}`;
export const policyNameOrTokenAccessor = 'Policy name or token accessor';
export const enterAPolicyName = 'Enter a policy name or a token accessor';
export const add = 'Add';
// Texts of DeletePolicy.tsx
export const deleted = (name: string) => `${name} deleted`;
export const deleteText = 'Delete…';
export const deleteText2 = (name: string) => `Delete ${name}`;
export const deletePolicy = 'Delete policy';
export const typeTheNameToConfirm = 'Type the name to confirm';
export const usedBy = (uses: string) => `Used by ${uses}.`;
export const tokensAndRolesKeep =
  'Tokens and roles keep the name of the policy, but lose its permissions from the next request. A new policy with the same name grants them again.';
export const nameOfThePolicy = 'Name of the policy';
// Texts of ExplainPage.tsx
export const access = 'Access';
export const policies = 'Policies';
export const requestCheck = 'Request check';
export const showsWhetherARequest =
  'Shows whether a request would be allowed, and which policy rule decides. The request is not executed.';
export const yourTokenHasNo = 'Your token has no permission to check requests. It requires';
export const enterAPathTo = 'Enter a path to see the result.';
export const theExplanation = 'The explanation';
export const warnings = 'Warnings';
export const sourcesOfThePolicies = 'Sources of the policies';
// Texts of NewPolicyPage.tsx
export const newText = 'New';
// Texts of PoliciesPage.tsx
export const name = 'Name';
export const purpose = 'Purpose';
export const fullAccess = 'Full access';
export const version = 'Version';
export const updated = 'Updated';
export const policies2 = 'policies';
export const andMore = ' and more';
export const explain = 'Explain';
export const newPolicy = 'New policy';
export const searchByName = 'Search by name';
export const onlyTheAboveWereSearched = (policies: string) => `Only the ${policies} above were searched`;
export const noPolicyWithIn = (q: string) => `No policy with “${q}” in its name`;
export const noPoliciesYet = 'No policies yet';
export const aPolicySaysWhat = 'A policy says what tokens may do. Create one, for example:';
// Texts of PolicyPage.tsx
export const policy2 = (name: string) => `Policy ${name}`;
// Texts of Review.tsx
export const saved = (name: string) => `${name} saved`;
export const save = (name: string) => `Save ${name}`;
export const create = (name: string) => `Create ${name}`;
export const save2 = 'Save';
export const create2 = 'Create';
export const changes = 'Changes';
export const theChangeAppliesTo = 'The change applies to every token with this policy, from its next request.';
export const testsFail = (tests: number) =>
  tests === 1 ? '1 test of this policy fails.' : `${tests} tests of this policy fail.`;
// Texts of Tests.tsx
export const testsOfThisPolicy = 'Tests of this policy';
export const shouldBe = 'should be ';
export const allowed = 'allowed';
export const denied = 'denied';
export const removeTheTestOn = (capability: string, path: string) => `Remove the test ${capability} on ${path}`;
export const saveAsTest = (result: string) => `Save as test: ${result}`;
export const testsAreStoredIn = 'Tests are stored in the URL of this page only. Copy the URL to share them.';
// Texts of UsedBy.tsx
export const orMore = (count: string, many: string) => `${count} ${many} or more`;
export const role = 'role';
export const roles = 'roles';
export const tokenRole = 'token role';
export const tokenRoles = 'token roles';
export const entity = 'entity';
export const entities = 'entities';
export const group = 'group';
export const groups = 'groups';
export const noRoleEntityOrGroup = 'no role, entity or group';
export const and = (parts: string, parts2 = '') => `${parts} and ${parts2}`;
export const usedBy2 = 'Used by';
export const noRoleEntityOr =
  'No role, entity or group uses this policy. Tokens that name it themselves are not counted.';
export const at = (mount: string) => `at ${mount}`;
export const andMore2 = (count: string) => `and ${count} more`;
// Texts of Verdict.tsx
export const allowed2 = 'Allowed';
export const denied2 = 'Denied';
export const by = ', by';
export const theOperationAlsoRequiresSudo = 'The operation also requires sudo.';
export const policyNotFound = (missing: string) => `Policy not found: ${missing}`;
export const isNotValid = (policy: string, problem: string) => `${policy} is not valid: ${problem}`;
export const line = (line: number) => `line ${line}`;
export const lineOf = (line: number) => `line ${line} of`;
export const rulesThatMatchThisPath = 'Rules that match this path';
export const noRuleMatchesThisPath = 'No rule matches this path';
export const decides = 'decides';
export const overriddenBecause = (because: string, capabilities: string) =>
  `overridden, because ${because}: ${capabilities}`;
export const ignored = (because: string) => `ignored: ${because}`;
export const andMore3 = (number: number) => `and ${number} more`;
// Texts of Workbench.tsx
export const explain2 = 'explain';
export const noChanges = 'No changes';
export const enterAName = 'Enter a name';
export const discard = 'Discard';
export const reviewAndSave = 'Review and save';
export const notCaseSensitive = 'Not case-sensitive.';
export const text = 'Text';
export const theRootPolicyHas = 'The root policy has no text: it allows everything and cannot be changed.';
export const textOfThePolicy = 'Text of the policy';
export const enterAPathTo2 = 'Enter a path to see the result for the current text.';
export const policyVersion = (version: number) => `policy, version ${version}`;
export const usedBy3 = (uses: string) => `, used by ${uses}`;
export const updated2 = ', updated';
export const ago = 'ago';
export const expires = (expiration: string) => `, expires ${expiration}`;
export const changed = 'changed';
export const line2 = 'line';
export const added = (lines: string) => `${lines} added`;
export const removed = (removed: number) => `${removed} removed`;
export const theToken = 'the token';
export const itsEntity = 'its entity';
export const groupNamed = (name: string) => `group ${name}`;
export const rulesIgnored = (rules: number) =>
  rules === 1 ? '1 rule of these policies is ignored' : `${rules} rules of these policies are ignored`;
// Texts of marks.ts
export const decidesAllowed = 'decides: allowed';
export const decidesDenied = 'decides: denied';
export const overriddenBecause2 = (because: string) => `overridden, because ${because}`;
export const warning = 'warning';
export const invalid = 'invalid';
