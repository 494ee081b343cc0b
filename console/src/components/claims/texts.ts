/** Texts of the claims component. */
// Texts of Token.tsx
export const pasteAToken = 'Paste a token';
export const aTokenHasThree = 'A token has three parts, separated by dots';
export const checkToken = 'Check token';
export const token = 'Token';
export const theTokenAsIts = 'A signed JWT. It is sent to this server only, and is not stored.';
export const pastedText = 'Pasted text';
export const tokenContents = 'Token contents';
export const algorithm = 'Algorithm';
export const key = 'Key';
export const claims = 'Claims';
// Texts of claims.ts
export const claimTwice = (twice: string) =>
  `${twice} appears twice. Write several values of one claim on one line: ["a", "b"]`;
export const writeEachLineAs = (line: string) => `${line}: write each line as name = value`;
