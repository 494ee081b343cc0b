import type { KeyWrapper } from './key-wrapper.ts';
import type { WrapSettings } from './settings.ts';

/** Loads the modules of the configured kind on demand. */
export async function openWrapper(settings: WrapSettings): Promise<KeyWrapper> {
  switch (settings.type) {
    case 'credential':
      return (await import('./credential.ts')).credentialWrapper(settings);
    case 'transit':
      return (await import('./transit.ts')).transitWrapper(settings);
    case 'aws-kms':
      return (await import('./aws-kms.ts')).awsKmsWrapper(settings);
    case 'pkcs11':
      return (await import('./pkcs11.ts')).pkcs11Wrapper(settings);
  }
}
