/** Texts of the claims component. */
export const texts = {
  // Texts of Token.tsx
  pasteAToken: 'Paste a token',
  aTokenHasThree: 'A token has three parts, separated by dots',
  checkToken: 'Check token',
  token: 'Token',
  theTokenAsIts: 'A signed JWT. It is sent to this server only, and is not stored.',
  pastedText: 'Pasted text',
  tokenContents: 'Token contents',
  algorithm: 'Algorithm',
  key: 'Key',
  claims: 'Claims',
  // Texts of claims.ts
  claimTwice: (twice: string) => `${twice} appears twice. Write several values of one claim on one line: ["a", "b"]`,
  writeEachLineAs: (line: string) => `${line}: write each line as name = value`,
};
