import * as texts from './texts.ts';

/** Contents of pasted text, as far as the PEM labels show. */
export interface Pasted {
  readonly certificates: number;
  readonly holdsKey: boolean;
}

const CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/g;
const KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;

export function pastedIn(text: string): Pasted {
  return { certificates: text.match(CERTIFICATE)?.length ?? 0, holdsKey: KEY.test(text) };
}

/** Splits PEM text into its certificates. */
export function certificatesIn(text: string): string[] {
  return text.match(/-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[^-]*-----END \1-----/g) ?? [];
}

/** Returns why the text cannot be sent; undefined if it can. Private keys never leave the browser. */
export function whyNot(text: string): string | undefined {
  const { certificates, holdsKey } = pastedIn(text);
  if (holdsKey) return texts.theTextContainsA;
  if (text.trim() === '') return texts.pasteACertificateFirst;
  return certificates === 0 ? texts.theTextContainsNo : undefined;
}
