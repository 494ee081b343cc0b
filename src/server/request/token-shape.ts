/** Tokens of ours and of the servers that clients of the field come from. Those of one letter only where a text begins. */
const TOKEN = /^[sbr]\.|(?<![a-z\d])(lk|hv)[a-z]\./;
const IN_SENTENCE = /(?<![a-z\d])((lk|hv)[a-z]\.[\w.+/=-]{8,}|[sbr]\.[a-zA-Z\d]{20,})/g;

/** Whether a text is a token by the look of it, or has one in it. */
export function isTokenShaped(text: string): boolean {
  return TOKEN.test(text);
}

/** A sentence without what looks like a token. */
export function withoutTokens(text: string): string {
  return text.replace(IN_SENTENCE, '…');
}
