/** Texts of the machine identities component. */
// Texts of MachineIdentities.tsx
export const addMachineIdentity = 'Add machine identity…';
export const machineIdentities = 'Machine identities';
export const identitiesHint =
  'A machine identity is a rule that allows a client certificate to act for this team or agent pool. No secret is stored on the machine.';
export const noMachineIdentitiesYet =
  'No machine identities yet. Add one so that a machine can log in with its client certificate.';
export const machineIdentitiesOf = (ofName: string) => `Machine identities of ${ofName}`;
export const role = 'Role';
export const mount = 'Mount';
export const commonName = 'Common name';
export const lastLogin = 'Last login';
export const actions = 'Actions';
export const remove = 'Remove';
export const identity = (role: string) => `identity ${role}`;
export const removalHint = 'Machines that log in through this role no longer act for this team or agent pool.';
export const addAMachineIdentityTo = (ofName: string) => `Add a machine identity to ${ofName}`;
export const add = 'Add';
export const enterARole = 'Enter a role';
export const pathOfTheCertificate = 'Path of the certificate auth method.';
export const commonNameOfThe =
  'Common name of the certificate. Leave empty to accept every certificate that the role accepts.';
// Texts of OfRole.tsx
export const fromCertificateToWorkspace = 'From certificate to workspace';
export const tokensOfThisRole =
  'Tokens of this role act for no team or agent pool that you can see. They give no access to workspaces.';
export const teamsAndAgentPools = (role: string) => `Teams and agent pools for which ${role} acts`;
export const actsFor = 'Acts for';
export const type = 'Type';
export const team = 'team';
export const agentPool = 'agent pool';
export const ofText = (value: string) => `${value} of`;
export const any = 'any';
export const never = 'never';
