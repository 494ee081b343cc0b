/**
 * The server's part of the console: its files and its browser sessions. This module knows neither API; the composition
 * root passes in what it needs of them.
 */
export { type ConsoleParts, consoleService, homeService } from './console-service.ts';
export { type BuiltFiles, readBuiltFiles } from './files/built-files.ts';
export { backChannelService } from './session/back-channel-service.ts';
export type { InvitationSignIn } from './session/invitation-routes.ts';
export { isFromOwnOrigin } from './session/own-request.ts';
export type { PasskeyAnswer, PasskeyPlace, PasskeySignIn } from './session/passkey-routes.ts';
export { type ProviderSignIn, SignInFault, type SignInProviders, wayIn } from './session/provider-routes.ts';
export type { Held, SessionApiName } from './session/session.ts';
export { withSessions } from './session/session-hook.ts';
export type { CertificateSignIn } from './session/session-routes.ts';
export { SESSION_MS, type SessionApi, type SessionOwner, Sessions } from './session/sessions.ts';
export { linkPath, SignInLink } from './session/sign-in-link.ts';
