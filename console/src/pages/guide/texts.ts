/** Texts of the guide page. */
export const texts = {
  // Texts of GuidePage.tsx
  overview: 'Overview',
  firstSteps: 'First steps',
  allDone: 'all done',
  step: 'step',
  ofDone: (passed: number, steps: string) => `${passed} of ${steps} done`,
  guideHint: 'From an empty server to a runner that locks a workspace. The page reads the progress from the server.',
  doNotShowAgain: 'Do not show again',
  theProgressOfThe: (missing: string) => `The progress of the ${missing} steps is unknown.`,
  signInTo: (missing: string) => `Sign in to ${missing}`,
  unknown: 'unknown',
  done: 'done',
  next: 'next',
  toDo: 'to do',
  theCommand: (title: string) => `the command: ${title}`,
  // Texts of steps.ts
  server: 'Server',
  theServerIsReady: 'The server is ready when it can write its database and its audit log.',
  rootToken: 'Root token',
  theOperatorWhoSet: 'The operator who set up the server has the root token. It gives full access to the access API.',
  certificateAuthMethod: 'Certificate auth method',
  machinesLogInAt: 'Machines log in at a mount of the certificate auth method. A new server has one at cert.',
  role: 'Role',
  aRoleNamesThe:
    'A role names the CA that issues client certificates, and the constraints that a certificate must match.',
  policy: 'Policy',
  aPolicySaysWhat:
    'A policy says what tokens may do in the access API. Runners need none: their team has the permissions.',
  organization: 'Organization',
  anOrganizationContainsProjects:
    'An organization contains projects, workspaces and teams. Create it with the token of the first user.',
  team: 'Team',
  membersAndMachineIdentities: 'Members and machine identities of a team have the permissions of the team.',
  machineIdentity: 'Machine identity',
  aMachineIdentityConnects:
    'A machine identity connects both APIs: logins with the role act for the team, without a stored secret.',
  lockedWorkspace: 'Locked workspace',
  theRunnerLogsIn: 'The runner logs in with its certificate and locks the workspace while it works.',
};
