import type { AuthenticatedLogin } from '../method/index.ts';
import type { AuthenticatedCertificate } from './authentication/certificate-authenticator.ts';
import { certificateMetadata, tokenCertificate } from './token-certificate.ts';

/** Returns the login of a certificate that a role accepts. */
export function authenticatedLogin({
  role,
  leaf,
  issuer,
  config,
  mount,
}: AuthenticatedCertificate): AuthenticatedLogin {
  const metadata = certificateMetadata(role.name, role.settings, leaf);
  const certificate = tokenCertificate(role.name, leaf, config.alias_source);
  return {
    mount,
    settings: role.settings,
    displayName: role.settings.display_name,
    metadata,
    certificate,
    alias: {
      name: certificate.aliasName,
      issuer: issuer.publicKey.fingerprint,
      groups: role.groupsOf(leaf),
      metadata: config.enable_identity_alias_metadata ? metadata : undefined,
    },
  };
}
