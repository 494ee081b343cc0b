/** Token patterns of Lockkeeper, Vault, OpenBao and TFE. One-letter prefixes match only at the start of a text. */
const TOKEN = /^[sbr]\.|(?<![a-z\d])(lk|hv)[a-z]\./;
const IN_SENTENCE = /(?<![a-z\d])((lk|hv)[a-z]\.[\w.+/=-]{8,}|[sbr]\.[a-zA-Z\d]{20,})/g;

/** Returns whether a text looks like a token or contains one. */
export function isTokenShaped(text: string): boolean {
  return TOKEN.test(text);
}

/** Removes token-like texts from a sentence. */
export function withoutTokens(text: string): string {
  return text.replace(IN_SENTENCE, '…');
}
