/** Texts of the claims component. */
export const texts = {
  // Token.tsx
  pasteAToken: 'Paste a token',
  aTokenHasThree: 'A token has three parts, separated by dots',
  checkToken: 'Check token',
  token: 'Token',
  theTokenAsIts: 'The token as its issuer signed it. It is sent to this server only and is not stored.',
  pastedText: 'Pasted text',
  tokenContents: 'Token contents',
  algorithm: 'Algorithm',
  key: 'Key',
  claims: 'Claims',
  // claims.ts
  claimTwice: (twice: string) => `${twice} appears twice. Write several values of one claim on one line: ["a", "b"]`,
  writeEachLineAs: (line: string) => `${line}: write each line as name = value`,
};
