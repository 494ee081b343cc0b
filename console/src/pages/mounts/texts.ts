/** Texts of the mounts page. */
// Texts of EnableDialog.tsx
export const certClientCertificate = 'cert: client certificate';
export const jwtTokenOfAnotherIssuer = 'jwt: token of another issuer';
export const enabledAuth = (path: string) => `Enabled auth/${path}`;
export const enableAnAuthMethod = 'Enable an auth method';
export const enable = 'Enable';
export const enterAPath = 'Enter a path';
export const method = 'Method';
export const path = 'Path';
export const belowAuthClientsLog = (path: string) => `Below auth/. Clients log in at auth/${path}/login.`;
export const description = 'Description';
export const noteForAdministrators = 'Note for administrators.';
// Texts of MountDialogs.tsx
export const movedAuthToAuth = (path: string, to: string) => `Moved auth/${path} to auth/${to}`;
export const moveAuth = (path: string) => `Move auth/${path}`;
export const move = 'Move';
export const rolesCrlsAndTokens = 'Roles, CRLs and tokens move too, and tokens stay valid. Clients that log in at';
export const mustUseTheNew = 'must use the new path, and policies that name the old path do not apply to the new one.';
export const newPath = 'New path';
export const belowAuthTheNew = (to: string) => `Below auth/. The new path is auth/${to}.`;
export const disabledAuth = (path: string) => `Disabled auth/${path}`;
export const disableAuth = (path: string) => `Disable auth/${path}`;
export const disable = 'Disable';
export const typeThePathToConfirm = 'Type the path to confirm';
export const thisDeletesTheRoles =
  'This deletes the roles and CRLs of the mount and revokes every token that was issued there. It cannot be undone.';
export const pathOfTheMount = 'Path of the mount';
export const typeToConfirm = (path: string) => `Type ${path} to confirm.`;
// Texts of MountView.tsx
export const roles = 'Roles';
export const crls = 'CRLs';
export const certificateInspector = 'Certificate inspector';
export const configuration = 'Configuration';
export const tokenInspector = 'Token inspector';
export const noMountAtAuth = (path: string) => `No mount at auth/${path}`;
export const itMayHaveBeen = 'It may have been moved or disabled.';
export const noDescription = 'No description';
export const accessor = 'Accessor';
export const accessor2 = 'accessor';
export const pages = 'Pages';
export const move2 = 'Move…';
export const disable2 = 'Disable…';
export const movedFrom = 'Moved from';
export const to = 'to';
export const hidden = 'hidden';
export const shownWithoutAToken = 'shown without a token';
export const tunedAuth = (path: string) => `Tuned auth/${path}`;
export const requiresSudoAndUpdate = (path: string) => `Requires sudo and update on sys/auth/${path}/tune`;
export const secondsOrADuration = 'Seconds, or a duration such as 24h. system: the server default.';
export const tune = 'Tune';
export const noChanges = 'No changes';
export const defaultLifetimeOfTokens = (format: string) => `Default lifetime of tokens. ${format}`;
export const maximumLifetimeOfTokens = (format: string) => `Maximum lifetime of tokens. ${format}`;
export const forAllTokensOr = 'For all tokens, or for roles that set none.';
// Texts of MountsPage.tsx
export const access = 'Access';
export const mounts = 'Mounts';
export const theMounts = 'The mounts';
export const authMethodsAtTheir = 'Auth methods at their paths. Each mount has its own roles, CRLs and tokens.';
export const enableAuthMethod = 'Enable auth method…';
export const defaultTokenLifetime = 'Default token lifetime';
export const maximum = 'Maximum';
export const serverDefault = 'server default';
