/** What somebody has pasted or dropped, as far as it can be told without reading certificates. */
export interface Pasted {
  readonly certificates: number;
  readonly holdsKey: boolean;
}

const CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/g;
const KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;

export function pastedIn(text: string): Pasted {
  return { certificates: text.match(CERTIFICATE)?.length ?? 0, holdsKey: KEY.test(text) };
}

/** Each certificate by itself, as it stands there. */
export function certificatesIn(text: string): string[] {
  return text.match(/-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[^-]*-----END \1-----/g) ?? [];
}

/** Why it is not sent; undefined where it is fine. A key never leaves the browser. */
export function whyNot(text: string): string | undefined {
  const { certificates, holdsKey } = pastedIn(text);
  if (holdsKey) return 'There is a private key in it. Nothing was sent: leave the certificates alone, and try again.';
  if (text.trim() === '') return 'Paste a certificate first';
  return certificates === 0 ? 'There is no certificate in it: it begins with -----BEGIN CERTIFICATE-----' : undefined;
}
