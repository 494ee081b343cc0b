/** Texts of the why component. */
// Texts of Why.tsx
export const theExplanation = 'The explanation';
export const permission = 'Permission';
export const result = 'Result';
export const allowed = 'allowed';
export const notAllowed = 'not allowed';
export const reason = 'Reason';
export const yourAccess = 'Your access';
export const noSuchUser = 'No such user';
export const permissionCount = (allowed: number, total: number) => `: ${allowed} of ${total} permissions`;
export const permissionsAndTheirSources = 'Permissions and their sources';
export const aSecretTeam = 'a secret team';
// Texts of words.ts
export const ownerOfTheOrganization = 'owner of the organization';
export const inOrganization = (right = '') => `${right}, in the whole organization`;
export const onProject = (right: string | null) => `${right} on the project`;
export const onWorkspace = (right: string | null) => `${right} on the workspace`;
export const everyMemberOfTheOrganization = 'every member of the organization';
export const theTokenOfTheOrganization = 'the token of the organization';
export const theJobOfAnAgent = 'the job of an agent';
export const aRunTaskOf = 'a run task of the run';
export const settingOff = (setting: string | null) => `the setting ${setting} is off`;
export const theUserIsSuspended = 'the user is suspended: the server refuses their tokens';
export const theOrganizationDoesNot = 'the organization does not accept user tokens';
export const notGranted = 'not granted';
export const notGrantedWouldGrantIt = (levels: string) => `not granted; ${levels} would grant it`;
export const or = (words: string, last: string) => `${words} or ${last}`;
