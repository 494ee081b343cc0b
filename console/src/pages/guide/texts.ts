/** Texts of the guide page. */
// Texts of GuidePage.tsx
export const overview = 'Overview';
export const firstSteps = 'First steps';
export const allDone = 'all done';
export const step = 'step';
export const ofDone = (passed: number, steps: string) => `${passed} of ${steps} done`;
export const guideHint =
  'From an empty server to a runner that locks a workspace. The page reads the progress from the server.';
export const doNotShowAgain = 'Do not show again';
export const theProgressOfThe = (missing: string) => `The progress of the ${missing} steps is unknown.`;
export const signInTo = (missing: string) => `Sign in to ${missing}`;
export const unknown = 'unknown';
export const done = 'done';
export const next = 'next';
export const toDo = 'to do';
export const theCommand = (title: string) => `the command: ${title}`;
// Texts of steps.ts
export const server = 'Server';
export const theServerIsReady = 'The server is ready when it can write its database and its audit log.';
export const rootToken = 'Root token';
export const theOperatorWhoSet =
  'The operator who set up the server has the root token. It gives full access to the access API.';
export const certificateAuthMethod = 'Certificate auth method';
export const machinesLogInAt =
  'Machines log in at a mount of the certificate auth method. A new server has one at cert.';
export const role = 'Role';
export const aRoleNamesThe =
  'A role names the CA that issues client certificates, and the constraints that a certificate must match.';
export const policy = 'Policy';
export const aPolicySaysWhat =
  'A policy says what tokens may do in the access API. Runners need none: their team has the permissions.';
export const organization = 'Organization';
export const anOrganizationContainsProjects =
  'An organization contains projects, workspaces and teams. Create it with the token of the first user.';
export const team = 'Team';
export const membersAndMachineIdentities = 'Members and machine identities of a team have the permissions of the team.';
export const machineIdentity = 'Machine identity';
export const aMachineIdentityConnects =
  'A machine identity connects both APIs: logins with the role act for the team, without a stored secret.';
export const lockedWorkspace = 'Locked workspace';
export const theRunnerLogsIn = 'The runner logs in with its certificate and locks the workspace while it works.';
