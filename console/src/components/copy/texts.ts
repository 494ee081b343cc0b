/** Texts of the copy component. */
export const texts = {
  // Copyable.tsx
  copyThe: (what: string, text: string) => `Copy the ${what} ${text}`,
  // copy.ts
  copied: 'Copied',
  theBrowserDoesNot: 'The browser does not allow copying',
};
