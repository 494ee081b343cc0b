/** Texts of the copy component. */
export const texts = {
  // Texts of Copyable.tsx
  copyThe: (what: string, text: string) => `Copy the ${what} ${text}`,
  // Texts of copy.ts
  copied: 'Copied',
  theBrowserDoesNot: 'The browser does not allow copying',
};
