import { Certificate, ParseError } from '../../../x509/index.ts';

/** Those that can be read: a client may present anything, and what was kept was read by an older release. */
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
