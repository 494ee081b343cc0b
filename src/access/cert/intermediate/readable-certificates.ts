import { Certificate, ParseError } from '../../../x509/index.ts';

/**
 * Returns the certificates that can be parsed. A client may present anything, and an older release may have stored
 * certificates that this one rejects.
 */
export function readableCertificates(ders: readonly Uint8Array[]): Certificate[] {
  return ders.flatMap((der) => {
    try {
      return [Certificate.parse(der)];
    } catch (error) {
      if (error instanceof ParseError) return [];
      throw error;
    }
  });
}
