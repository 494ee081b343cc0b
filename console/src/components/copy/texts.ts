/** Texts of the copy component. */
// Texts of Copyable.tsx
export const copyThe = (what: string, text: string) => `Copy the ${what} ${text}`;
// Texts of copy.ts
export const copied = 'Copied';
export const theBrowserDoesNot = 'The browser does not allow copying';
