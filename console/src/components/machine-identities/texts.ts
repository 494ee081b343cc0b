/** Texts of the machine identities component. */
export const texts = {
  // Texts of MachineIdentities.tsx
  addMachineIdentity: 'Add machine identity…',
  machineIdentities: 'Machine identities',
  identitiesHint:
    'A machine identity is a rule that allows a client certificate to act for this team or agent pool. No secret is stored on the machine.',
  noMachineIdentitiesYet:
    'No machine identities yet. Add one so that a machine can log in with its client certificate.',
  machineIdentitiesOf: (ofName: string) => `Machine identities of ${ofName}`,
  role: 'Role',
  mount: 'Mount',
  commonName: 'Common name',
  lastLogin: 'Last login',
  actions: 'Actions',
  remove: 'Remove',
  identity: (role: string) => `identity ${role}`,
  removalHint: 'Machines that log in through this role no longer act for this team or agent pool.',
  addAMachineIdentityTo: (ofName: string) => `Add a machine identity to ${ofName}`,
  add: 'Add',
  enterARole: 'Enter a role',
  pathOfTheCertificate: 'Path of the certificate auth method.',
  commonNameOfThe: 'Common name of the certificate. Leave empty to accept every certificate that the role accepts.',
  // Texts of OfRole.tsx
  fromCertificateToWorkspace: 'From certificate to workspace',
  tokensOfThisRole:
    'Tokens of this role act for no team or agent pool that you can see. They give no access to workspaces.',
  teamsAndAgentPools: (role: string) => `Teams and agent pools for which ${role} acts`,
  actsFor: 'Acts for',
  type: 'Type',
  team: 'team',
  agentPool: 'agent pool',
  ofText: (value: string) => `${value} of`,
  any: 'any',
  never: 'never',
};
